/** Spanish words that mean the same, and words that exclude each other (`|`). The first part are verbs. Base forms; `IRREGULAR` leads to them. */

export const VERBS = `
comprar adquirir compra adquisición
vender venta
fundar crear establecer instituir fundación creación
empezar comenzar iniciar abrir inaugurar lanzar inicio apertura inauguración comienzo estrenar | terminar acabar finalizar cerrar concluir cesar fin cierre
construir edificar levantar erigir construcción | derribar demoler destruir demolición destrucción
diseñar idear concebir proyectar planear diseño obra
producir fabricar elaborar generar hacer producción fabricación
descubrir encontrar hallar detectar descubrimiento | perder
aumentar crecer subir incrementar ascender aumento subida crecimiento incremento | disminuir bajar caer descender reducir decrecer bajada caída descenso reducción
aceptar aprobar autorizar admitir adoptar aceptación aprobación | rechazar rehusar denegar negar rechazo desestimar
permitir autorizar permitido posible poder permiso | prohibir prohibido prohibición vedar imposible impedir
ganar vencer derrotar victoria batir triunfar | perder derrota
morir fallecer perecer muerte fallecimiento matar | sobrevivir vivir
nacer nacimiento natural oriundo
casar matrimonio esposar | divorciar divorcio
contener incluir comprender constar tener contar | excluir
tener poseer disponer contar | carecer faltar
usar utilizar emplear uso utilización
emplear contratar | despedir despido
trabajar
llegar alcanzar arribar llegada | salir partir salida
mostrar demostrar revelar indicar | ocultar esconder
decir declarar afirmar anunciar explicar señalar concluir según
creer pensar considerar
esperar prever
escribir redactar componer
enseñar instruir formar
aprender estudiar
transportar llevar trasladar conducir
unir enlazar conectar comunicar cruzar
sustituir reemplazar suceder
conservar guardar almacenar mantener | borrar eliminar suprimir
borrar eliminar suprimir quitar retirar | añadir agregar
dar proporcionar ofrecer conceder otorgar entregar brindar suministrar
recibir obtener percibir
pagar abonar costar desembolsar
gratuito gratis | pagar cobrar costar
elogiar alabar gustar apreciar | criticar censurar
creer pensar considerar parecer juzgar
costar coste precio
deber obligatorio necesario obligación
ayudar apoyar asistir
dirigir encabezar dirección
atacar asaltar ataque | defender
proteger preservar protección
recuperar recobrar | desaparecer desaparecida desaparecido perder
robar hurtar robo
detener arrestar arresto | liberar
condenar | absolver
demandar querella denunciar
acusar imputar acusación
herir lesionar
curar tratar sanar
comer consumir alimentar devorar
cazar
vivir habitar residir
ocurrir suceder lugar celebrar tener-lugar producir aparecer
durar
caducar expirar vencer | prolongar renovar
renovar prolongar prorrogar ampliar renovación
cambiar modificar adaptar
dañar
reparar restaurar
reponer restituir sustituir
enviar mandar remitir presentar | recibir
pedir solicitar
responder contestar
visitar
publicar editar
nombrar llamar
elegir escoger designar
dimitir renunciar dimisión
lograr conseguir | fracasar
causar provocar ocasionar
evitar impedir
marcar anotar
funcionar circular operar explotar
sufrir padecer tener experimentar registrar
acompañar
prestar
llevar tomar
cosechar cosecha recoger
congelar helar | fundir descongelar
medir largo longitud
pesar peso
confirmar | desmentir
exportar | importar
despegar | aterrizar
tocar interpretar
acoger recibir
situar ubicar
`

export const WORDS = `
grande enorme vasto importante considerable | pequeño diminuto reducido
largo longitud | corto
alto elevado | bajo
principal central mayor esencial
conocido famoso célebre renombrado | desconocido
nuevo reciente moderno | viejo antiguo
antiguo viejo anterior | nuevo
joven | viejo anciano
primero inicial | último final
rápido veloz | lento
caro costoso | barato gratis gratuito
pesado | ligero
claro | oscuro
caliente cálido | frío
rico | pobre
bueno | malo
fácil sencillo simple | difícil complicado
fuerte potente | débil
ancho | estrecho
profundo profundidad | 
lleno entero completo total | vacío parcial
verdadero cierto correcto exacto | falso incorrecto
público | privado
legal | ilegal
hombre varón masculino macho | mujer femenino hembra
padre | madre | hijo | hija | hermano | hermana | tío | tía | sobrino | sobrina | abuelo | abuela | marido esposo | esposa | primo
verano | invierno | primavera | otoño
lunes | martes | miércoles | jueves | viernes | sábado | domingo
norte | sur | este | oeste
izquierda | derecha
día diario | noche nocturno
mañana | tarde | noche
rojo | azul | verde | amarillo | negro | blanco | marrón | morado | naranja | rosa | gris
oro | plata | bronce | cobre | hierro
antes previo anterior precedente | después siguiente posterior luego
más mayor superior | menos menor inferior
máximo | mínimo
dentro interior | fuera exterior
siempre | nunca jamás
frecuente habitual común corriente normal generalmente usual | raro raramente
sobre-todo principalmente
solo sólo solamente únicamente exclusivamente
abierto | cerrado
año anual anualmente
mes mensual
semana semanal
éxito | fracaso
beneficio ganancia superávit | pérdida déficit
pérdida
mayoría | minoría
amigo aliado | enemigo adversario
coche automóvil vehículo
camión
tren ferrocarril ferroviario
carretera autopista
barco buque
avión aparato
empresa compañía sociedad firma grupo
ingreso venta facturación
empleado trabajador personal plantilla
director jefe responsable gerente
competidor rival
médico doctor
paciente
persona gente individuo pasajero
habitante residente población
niño
cuadro pintura obra lienzo
libro volumen novela
crítico crítica
comerciante mercader negociante
válido | nulo anular inválido
incendio fuego quemar
reformar renovar rehabilitar
ciudad localidad
país estado nación
casa edificio
superficie área
embarazo embarazada
alumno estudiante
escuela colegio
profesor maestro docente
abogado
ley
tribunal corte
empleo puesto
sueldo salario
dinero
número cantidad
parte
mitad
partido encuentro
club equipo
espectador público visitante
vacaciones
enfermedad
medicamento fármaco
guerra
rey monarca
extranjero
comida alimento
error fallo
límite tope máximo
foto fotografía
película filme
canción
mar océano
bosque selva
montaña cumbre
río
costa orilla
animal
ayuda subvención subvencionar
récord
vaca bovino | oveja cordero | cabra caprino | cerdo | caballo | pollo gallina
europa europeo | asia asiático | áfrica africano | américa americano | australia australiano
inglaterra inglés | escocia escocés | irlanda irlandés | francia francés | alemania alemán | españa español | italia italiano | portugal portugués | noruega noruego | suecia sueco | dinamarca danés | finlandia finlandés | islandia islandés | holanda holandés neerlandés | bélgica belga | suiza suizo | austria austríaco | polonia polaco | rusia ruso | ucrania ucraniano | hungría húngaro | grecia griego | turquía turco | china chino | japón japonés | corea coreano | india indio | egipto egipcio | israel israelí | irán iraní | méxico mexicano | brasil brasileño | argentina argentino | chile chileno | canadá canadiense | marruecos marroquí | perú peruano | colombia colombiano
oxígeno | hidrógeno | nitrógeno | carbono
guitarra | piano | violín | violonchelo | trompeta | flauta
católico | protestante | ortodoxo | musulmán | judío | budista
sólido | líquido | gaseoso
culpable | inocente
vivo | muerto
`

/** Forms that no spelling rule leads back to their base form. */
export const IRREGULAR =
  'murió:morir muerto:morir muerta:morir murieron:morir muere:morir mueren:morir nació:nacer nacido:nacer nacida:nacer nace:nacer tuvo:tener tuvieron:tener tiene:tener tienen:tener tenía:tener tenían:tener ' +
  'hizo:hacer hecho:hacer hace:hacer abre:abrir abren:abrir abierto:abrir abierta:abrir abiertos:abrir escrito:escribir escrita:escribir descubierto:descubrir descubierta:descubrir dijo:decir dicho:decir dice:decir ' +
  'puso:poner puesto:poner pone:poner repuesto:reponer repuestos:reponer vio:ver visto:ver dio:dar dieron:dar fue:ser obtuvo:obtener contiene:contener contuvo:contener mantuvo:mantener mantiene:mantener detuvo:detener ' +
  'redujo:reducir reduce:reducir produjo:producir produce:producir condujo:conducir puede:poder pueden:poder pudo:poder pudieron:poder debe:deber deben:deber cayó:caer creció:crecer crece:crecer ' +
  'empieza:empezar empezó:empezar comienza:comenzar comenzó:comenzar cierra:cerrar cerrado:cerrar cerrada:cerrar construyó:construir construido:construir destruyó:destruir destruido:destruir pidió:pedir ' +
  'pide:pedir eligió:elegir elige:elegir siguió:seguir sigue:seguir midió:medir mide:medir miden:medir pierde:perder perdió:perder prueba:probar aprueba:aprobar aprobó:aprobar niega:negar vino:venir ' +
  'viene:venir sirve:servir prohibido:prohibir prohibida:prohibir permitido:permitir permitida:permitir atrajo:atraer atrae:atraer impuso:imponer propuso:proponer supo:saber quiso:querer dirigió:dirigir ' +
  'adquirió:adquirir adquiere:adquirir vende:vender vendió:vender pagó:pagar llegó:llegar mejor:bueno peor:malo vuelve:volver volvió:volver vuelto:volver cuesta:costar costó:costar cuenta:contar ' +
  'niños:niño hijos:hijo muestra:mostrar encuentra:encontrar'
