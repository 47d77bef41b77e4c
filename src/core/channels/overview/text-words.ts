/**
 * Words of four languages with which a question refers to texts, as terms. Those that mean the same kind of text, or the same month, become one: a German
 * may ask for English minutes.
 */
import { distinct, terms } from '../../text/terms'

const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).flatMap((word) => terms(word)))

/** Of any text, or of all there is. */
export const ANY_TEXT = set(
  `document documents docs text texts file files corpus collection archive material materials content contents everything anything source sources page pages passages knowledge base data dataset upload uploads
   dokument dokumente dokumenten dokuments texte texten textes datei dateien unterlagen sammlung korpus alles inhalt inhalte quellen archiv seiten
   fichier fichiers collection tout toutes ensemble documentation
   documento documentos texto textos archivo archivos coleccion todo fuentes paginas`,
)

/** Each line one kind, as titles also say it. */
const KINDS = `report reports bericht berichte berichten berichts jahresbericht jahresberichte jahresberichten jahresberichts rapport rapports informe informes
   minutes minute protokoll protokolle protokollen protokolls sitzungsprotokoll proces-verbal proces-verbaux acta actas
   letter letters brief briefe briefen briefs lettre lettres carta cartas
   article articles artikel artikeln articulo articulos
   news newsletter newsletters nachricht nachrichten meldung meldungen nouvelles actualites noticia noticias
   manual manuals handbook handbuch handbucher anleitung anleitungen manuel manuels manuales
   guide guides leitfaden guia guias
   note notes notiz notizen notas nota
   contract contracts vertrag vertrage vertragen contrat contrats contrato contratos
   chapter chapters kapitel kapiteln chapitre chapitres capitulo capitulos
   book books buch bucher buchern livre livres libro libros
   email emails mail mails
   memo memos
   paper papers
   story stories geschichte geschichten histoire histoires historia historias
   transcript transcripts
   interview interviews
   policy policies
   study studies studie studien etude etudes estudio estudios
   diary diaries tagebuch journal diario
   log logs
   review reviews
   record records
   essay essays
   speech speeches address addresses rede reden ansprache ansprachen discours allocution allocutions discurso discursos alocucion alocuciones
   lecture lectures vortrag vortrage vortragen conferencia conferencias
   sermon sermons predigt predigten sermones
   brochure brochures broschure broschuren`

const MONTHS = `january januar janvier enero
   february februar fevrier febrero
   march marz mars marzo
   april avril abril
   may mai mayo
   june juni juin junio
   july juli juillet julio
   august aout agosto
   september septembre septiembre
   october oktober octobre octubre
   november novembre noviembre
   december dezember decembre diciembre`

const linesOf = (lines: string): readonly (readonly string[])[] => lines.split('\n').map((line) => distinct(terms(line)))
/** "procès-verbal" is two words, of which either will do. */
const ONE = new Map([...linesOf(KINDS), ...linesOf(MONTHS)].flatMap((words) => words.map((word) => [word, words[0] ?? word] as const)))

/** Kinds of text, as `wordsOf` has them. */
export const KIND_OF_TEXT: ReadonlySet<string> = new Set(linesOf(KINDS).flatMap((words) => words.slice(0, 1)))

/** Say nothing of which. */
export const FORM_WORDS = set(
  `two three four five several various different whole entire complete available stored indexed given uploaded following me us mine our ones one it
   der die das den dem des ein eine einen einem einer beide beiden beider zwei drei alle allen aller diese dieser diesen dieses ganze ganzen mein meine meiner unser unsere unserer hier von vom mit und zwischen zu zum zur im in
   le la les l un une des du de d ce cet cette ces deux trois tous toutes mes nos vos ton tes et entre avec dans sur
   el los las lo una unos unas dos tres todos todas este esta estos estas mi mis nuestros del al y e con en entre ambos ambas`,
)

/** What a phrase or a title says, each word once. */
export function wordsOf(text: string): string[] {
  return distinct(terms(text).map((word) => ONE.get(word) ?? word)).filter((word) => !FORM_WORDS.has(word))
}
