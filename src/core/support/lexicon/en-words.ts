/** English nouns, adjectives and adverbs that mean the same, and those that exclude each other (`|`). */

export const WORDS = `
large big great huge vast sizeable major considerable | small little tiny minor slight
long | short
high tall | low short
main principal chief primary major central key
best-known well-known famous renowned celebrated noted known | unknown obscure
new recent modern | old ancient
old former previous prior earlier | new
young | old
early | late
first initial original | last final
fast quick rapid swift | slow
cheap inexpensive affordable | expensive costly dear
heavy | light
light | heavy dark
hot warm | cold cool
rich wealthy | poor
good fine | bad poor
easy simple | difficult hard complex
strong powerful | weak
wide broad | narrow
deep | shallow
full entire whole complete total | empty partial
true correct right accurate | false wrong incorrect inaccurate untrue
possible able | impossible unable
public | private
legal lawful | illegal unlawful
male man men masculine | female woman women feminine
boy son | girl daughter
father | mother | son | daughter | brother | sister | uncle | aunt | nephew | niece | grandfather | grandmother | husband | wife | cousin
summer | winter | spring | autumn fall
monday | tuesday | wednesday | thursday | friday | saturday | sunday
north northern | south southern | east eastern | west western
left | right
day daytime | night nocturnal nightly
morning | afternoon | evening
red | blue | green | yellow | black | white | brown | purple | orange | pink | grey gray
gold golden | silver | bronze | copper | iron
before prior previous preceding earlier ahead | after following subsequent later
more greater higher larger | less fewer smaller lower
most majority | minority
maximum up-to most | minimum least
above over | below under beneath
inside within | outside
always ever | never
often frequent common usual regular typical normal ordinary generally habitual | rare seldom uncommon unusual
mainly mostly chiefly primarily largely predominantly
only sole just merely exclusive
year annual yearly
month monthly
week weekly
day daily
missing lost
success successful | failure unsuccessful
profit surplus | loss deficit
loss deficit
majority | minority
victory win | defeat loss
friend ally | enemy foe opponent
car automobile vehicle
lorry truck
lorry vehicle
railway railroad rail train
road motorway highway street
ship boat vessel
plane aircraft aeroplane airplane jet
company firm business enterprise corporation
revenue sales turnover income
employee staff worker personnel workforce
boss manager head chief director leader executive
doctor physician
patient people participant subject
people person individual human inhabitant resident citizen
inhabitant resident population citizen
child kid
picture painting work canvas image
work piece
book volume novel
critic reviewer
telephone phone
merchant trader dealer
fire blaze burn
valid | void invalid expired null
soft | hard
town city
country nation state
house home building
area surface size extent
length long
height high tall
width wide
depth deep
weight heavy weigh
pregnancy pregnant
pupil student
student learner
school college
teacher instructor
lawyer attorney
law act statute
court tribunal
job post position
salary pay wage
money cash fund
price cost fee
number amount quantity figure count
part share portion
half
goal score
match game
club team side
spectator viewer audience visitor
holiday leave vacation
illness disease sickness
drug medicine medication
side-effect
attack episode
war conflict
army troops military forces
king monarch
ruler leader
home domestic
foreign abroad overseas
abroad
food meal
water
error mistake fault bug
limit maximum cap
user
computer machine
photo photograph picture
film movie
song track
concert performance
sea ocean
forest wood
mountain peak
river stream
coast shore
animal creature
europe european | asia asian | africa african | america american | australia australian | antarctica antarctic
england english | scotland scottish scots | wales welsh | ireland irish | france french | germany german | spain spanish | italy italian | portugal portuguese | norway norwegian | sweden swedish | denmark danish dane | finland finnish finn | iceland icelandic | netherlands dutch | belgium belgian | switzerland swiss | austria austrian | poland polish pole | russia russian | ukraine ukrainian | czech | hungary hungarian | greece greek | turkey turkish turk | china chinese | japan japanese | korea korean | india indian | egypt egyptian | israel israeli | iran iranian persian | iraq iraqi | mexico mexican | brazil brazilian | argentina argentine argentinian | chile chilean | canada canadian
oxygen | hydrogen | nitrogen | carbon | helium
guitar | piano | violin | cello | trumpet | flute | drum
catholic | protestant | orthodox | muslim | jewish | hindu | buddhist
bronze-age | iron-age
solid | liquid | gas
domestic | international
online | offline
even | odd
acid | alkaline
guilty | innocent
alive living | dead
vegetarian | meat
`
