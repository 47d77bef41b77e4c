/** French words that mean the same, and words that exclude each other (`|`). The first part are verbs. Base forms; `IRREGULAR` leads to them. */

export const VERBS = `
acheter acquérir racheter acquisition achat rachat reprendre
vendre céder vente cession
fonder créer établir instituer fondation création
commencer débuter démarrer ouvrir inaugurer lancer début ouverture inauguration | finir terminer achever cesser arrêter fermer clore fin fermeture
construire bâtir ériger édifier construction | démolir détruire raser démolition destruction
dessiner concevoir imaginer planifier conception œuvre
produire fabriquer réaliser faire générer production fabrication
découvrir trouver repérer détecter découverte | perdre
augmenter croître progresser monter grimper accroître hausse augmentation croissance progression | baisser diminuer reculer chuter réduire décroître baisse diminution recul chute
accepter approuver autoriser valider adopter accord acceptation approbation | refuser rejeter décliner repousser refus rejet débouter
permettre autoriser autorisé permis possible pouvoir | interdire défendre prohiber interdiction interdit impossible
gagner remporter vaincre battre victoire triompher | perdre défaite
mourir décéder périr mort décès vie tuer | survivre vivre
naître naissance originaire natif
épouser marier mariage | divorcer divorce
contenir comprendre comporter inclure compter renfermer | exclure
avoir posséder disposer détenir | manquer
utiliser employer servir usage utilisation recourir
employer embaucher recruter | licencier renvoyer licenciement
travailler œuvrer
arriver atteindre parvenir arrivée | partir quitter départ
montrer prouver démontrer révéler indiquer | cacher
dire déclarer affirmer annoncer expliquer indiquer conclure selon
croire penser estimer
attendre prévoir
écrire rédiger composer
enseigner former instruire
apprendre étudier
transporter porter acheminer amener conduire
relier joindre raccorder desservir franchir
remplacer substituer succéder
conserver garder stocker maintenir | supprimer effacer détruire
supprimer effacer retirer éliminer | ajouter
donner fournir offrir accorder attribuer octroyer décerner remettre verser
recevoir obtenir toucher bénéficier
payer verser coûter débourser régler
gratuit | payer coûter facturer
louer saluer aimer apprécier vanter | critiquer blâmer
croire penser estimer juger trouver
coûter coût prix
devoir falloir obligatoire nécessaire obligation
aider soutenir assister
diriger mener commander direction
attaquer assaillir attaque | défendre
protéger préserver protection
retrouver récupérer | disparaître introuvable perdre disparu
voler dérober vol
arrêter interpeller arrestation | libérer
condamner | acquitter
poursuivre assigner
blesser
soigner guérir traiter
manger consommer nourrir dévorer
chasser
habiter vivre résider
produire arriver survenir lieu tenir dérouler avoir-lieu
durer
expirer périmer | prolonger renouveler
prolonger renouveler étendre prolongation
changer modifier adapter
endommager abîmer
réparer restaurer
envoyer expédier transmettre adresser | recevoir
demander réclamer
répondre
visiter
publier éditer
nommer appeler
élire choisir désigner
démissionner démission
réussir | échouer
causer provoquer entraîner
éviter empêcher
marquer inscrire
fonctionner circuler marcher rouler exploiter
subir connaître enregistrer éprouver
accompagner
rendre restituer
emprunter prêt emprunt
prêter
récolter récolte cueillir
geler gel | fondre dégeler
prendre
mesurer long longueur
peser poids
confirmer | démentir
exporter | importer
inculper accuser charge
décoller | atterrir
jouer interpréter
composer écrire
accueillir recevoir
situer trouver
précéder
`

export const WORDS = `
grand gros vaste important considérable immense | petit minuscule faible
long longueur | court
haut élevé | bas
principal majeur central essentiel
connu célèbre fameux renommé réputé | inconnu
nouveau neuf récent moderne | ancien vieux
ancien vieux antérieur | nouveau
jeune | vieux âgé
premier initial | dernier
rapide vite | lent
cher coûteux onéreux | gratuit abordable
lourd | léger
clair | foncé sombre
chaud | froid
riche | pauvre
bon | mauvais
facile simple | difficile compliqué
fort puissant | faible
large | étroit
profond profondeur | 
plein entier complet total | vide partiel
vrai exact juste | faux inexact
public | privé
légal | illégal
homme masculin mâle | femme féminin femelle
père | mère | fils | fille | frère | sœur | oncle | tante | neveu | nièce | grand-père | grand-mère | mari époux | épouse | cousin
été | hiver | printemps | automne
lundi | mardi | mercredi | jeudi | vendredi | samedi | dimanche
nord | sud | est | ouest
gauche | droite
jour journée | nuit nocturne
matin | midi | après-midi | soir
rouge | bleu | vert | jaune | noir | blanc | brun marron | violet | orange | rose | gris
or | argent | bronze | cuivre | fer
avant précédent auparavant antérieur | après suivant ensuite
plus supérieur | moins inférieur
maximum maximal | minimum minimal
dedans intérieur | dehors extérieur
toujours | jamais
souvent fréquent habituel généralement courant normal | rare rarement
surtout principalement essentiellement notamment
seul seulement uniquement exclusivement
ouvert | fermé
an année annuel annuellement
mois mensuel
semaine hebdomadaire
jour quotidien
succès | échec
bénéfice profit excédent | perte déficit
majorité | minorité
victoire | défaite
ami allié | ennemi adversaire
froidement froid | chaleureusement
pour | contre
voiture auto véhicule
camion
train chemin-de-fer ferroviaire rail
route autoroute
bateau navire
avion appareil
entreprise société compagnie firme groupe
vente chiffre affaires revenu recette
employé salarié personnel travailleur
directeur chef patron dirigeant
concurrent rival
médecin docteur
personne gens individu habitant
habitant résident population
enfant
tableau peinture œuvre toile
livre ouvrage volume roman
critique
marchand négociant commerçant
valable valide | nul annuler invalide
incendie feu brûler
rénover restaurer
ville cité
pays état nation
maison bâtiment
superficie surface
grossesse enceinte
élève étudiant lycéen
école
professeur enseignant
avocat
loi
tribunal cour
emploi poste travail
salaire paie
argent
nombre quantité
part partie
moitié
match rencontre partie
club équipe
spectateur public visiteur
vacances congé
maladie
médicament remède
guerre
roi monarque
étranger
repas nourriture aliment
erreur faute
limite plafond maximum
photo photographie
film
chanson
mer océan
forêt bois
montagne sommet
rivière fleuve cours-d'eau
côte rive
animal bête
bourse aide subvention
aide subvention subventionner
record
vache bovin | brebis mouton | chèvre caprin | porc cochon | cheval | poulet poule
europe européen | asie asiatique | afrique africain | amérique américain | australie australien
angleterre anglais | écosse écossais | irlande irlandais | france français | allemagne allemand | espagne espagnol | italie italien | portugal portugais | norvège norvégien | suède suédois | danemark danois | finlande finlandais | islande islandais | pays-bas néerlandais hollandais | belgique belge | suisse | autriche autrichien | pologne polonais | russie russe | ukraine ukrainien | hongrie hongrois | grèce grec | turquie turc | chine chinois | japon japonais | corée coréen | inde indien | égypte égyptien | israël israélien | iran iranien | mexique mexicain | brésil brésilien | argentine argentin | chili chilien | canada canadien | maroc marocain | algérie algérien | tunisie tunisien
oxygène | hydrogène | azote | carbone
guitare | piano | violon | violoncelle | trompette | flûte
catholique | protestant | orthodoxe | musulman | juif | bouddhiste
solide | liquide | gazeux
coupable | innocent
vivant | mort
`

/** Forms that no spelling rule leads back to their base form. */
export const IRREGULAR =
  'paie:payer paient:payer paye:payer acquis:acquérir acquise:acquérir acquit:acquérir acquiert:acquérir ouvert:ouvrir ouverte:ouvrir ouverts:ouvrir construit:construire construite:construire construits:construire détruit:détruire ' +
  'détruite:détruire détruits:détruire conçu:concevoir conçue:concevoir conçoit:concevoir découvert:découvrir découverte:découvrir accru:accroître permis:permettre permise:permettre permet:permettre ' +
  'interdit:interdire interdits:interdire interdite:interdire interdites:interdire vaincu:vaincre battu:battre bat:battre mort:mourir morte:mourir morts:mourir mortes:mourir mourut:mourir meurt:mourir meurent:mourir ' +
  'né:naître née:naître nés:naître naquit:naître naît:naître vécu:vivre écrit:écrire écrite:écrire écrivit:écrire appris:apprendre apprit:apprendre reçu:recevoir reçoit:recevoir reçut:recevoir ' +
  'reçue:recevoir reçoivent:recevoir obtenu:obtenir obtint:obtenir obtient:obtenir doit:devoir doivent:devoir dut:devoir faut:falloir disparu:disparaître disparut:disparaître offert:offrir offerte:offrir ' +
  'peut:pouvoir peuvent:pouvoir put:pouvoir put:pouvoir tenu:tenir tient:tenir tint:tenir pris:prendre prise:prendre prit:prendre prend:prendre repris:reprendre rendu:rendre rendit:rendre vendu:vendre ' +
  'vendus:vendre vendue:vendre vendit:vendre élu:élire élue:élire élut:élire compris:comprendre contient:contenir contenu:contenir détient:détenir dit:dire dirent:dire conclu:conclure ' +
  'survécu:survivre subi:subir subie:subir permit:permettre poursuivi:poursuivre promu:promouvoir souvient:souvenir fut:être parvint:parvenir produit:produire produite:produire produisit:produire ' +
  'réduit:réduire réduite:réduire exclu:exclure inclus:inclure pays:pays gelé:geler gèle:geler pèse:peser pèsent:peser achète:acheter emploie:employer emploient:employer accueille:accueillir ' +
  'travaux:travail journaux:journal animaux:animal chevaux:cheval yeux:œil meilleur:bon pire:mauvais'
