/** English verbs that mean the same, and verbs that exclude each other (`|`). Base forms; `IRREGULAR` leads to them. */

export const VERBS = `
buy purchase acquire take-over procure
sell vend
found establish create set-up launch start begin commence initiate introduce inaugurate open | close shut end finish terminate dissolve discontinue abolish cease stop conclude
build construct erect assemble | demolish destroy dismantle ruin wreck
design devise draw plan conceive architect
make produce manufacture generate create prepare
discover find detect identify spot | lose
increase rise grow climb expand gain go-up soar jump surge improve advance raise | decrease fall decline drop shrink sink reduce diminish lower cut slump plunge dwindle
accept approve endorse agree back support adopt pass ratify authorise authorize clear grant | reject refuse decline dismiss deny oppose veto turn-down disapprove
allow permit let enable authorise authorize | forbid prohibit ban bar disallow outlaw prevent
win beat defeat triumph overcome | lose
die perish pass-away kill dead death deceased | survive live
bear birth native
marry wed | divorce separate
include contain comprise hold consist incorporate feature | exclude omit lack
have own possess hold | lack
use utilise utilize employ apply operate
employ hire recruit engage | dismiss fire sack lay-off
work serve function operate run
arrive reach come get attain | leave depart quit abandon exit
join enter | leave quit resign withdraw
remember recall | forget
show demonstrate reveal indicate display exhibit present prove | hide conceal
say state tell declare report announce claim explain mention note argue assert remark add according
believe think consider hold regard deem view find
expect anticipate predict forecast foresee
write compose author pen
compose write
teach instruct train educate tutor lecture
learn study train
move relocate transfer shift migrate
carry transport convey bring haul take move
cover span extend stretch occupy measure
measure weigh
connect link join tie bridge | disconnect separate
replace substitute supersede succeed
keep retain preserve store maintain hold save | delete remove erase discard destroy purge
remove delete erase eliminate withdraw | add insert
give provide supply deliver offer hand furnish grant award confer present
receive get obtain gain collect
pay spend cost
free gratis complimentary | pay charge cost
praise laud like love admire applaud commend | criticise criticize condemn pan dislike
cost price charge
need require demand must necessary obligatory compulsory mandatory
help assist aid support
lead head direct manage run chair command guide
attack assault strike raid | defend protect
protect guard defend shield safeguard
win-back recover regain retrieve restore | lose missing
recover return rebound bounce | miss missing disappear vanish
steal rob theft
arrest detain capture seize | release free
convict condemn sentence | acquit
sue prosecute
hurt injure wound harm | heal cure
treat cure heal
eat feed consume devour
hunt prey chase
live reside dwell inhabit settle
occur happen take-place arise
last take endure continue
continue persist go-on remain stay keep | stop cease
expire lapse end run-out | renew extend
extend prolong renew lengthen | shorten
change alter modify adapt adjust amend revise
damage harm spoil
repair fix mend restore
send dispatch ship mail submit | receive
ask request inquire
answer reply respond
visit attend
appear emerge | disappear vanish
translate render
publish issue release print
name call title dub entitle term | 
elect choose select pick vote appoint nominate
resign step-down quit
succeed | fail
fail | manage
try attempt seek
enter go-into | exit
sign conclude
cause trigger provoke lead-to due because
avoid prevent | 
reduce cut lessen
score net
suffer experience undergo have
renew extend
describe depict portray
fly | walk
turn become convert transform
locate situate lie stand sit base
take get
store save
lock secure | unlock
notify inform tell report advise
observe watch see notice spot
confirm verify | deny refute
know | unknown
love like adore | hate dislike
rest | 
complete finish | begin start
exceed surpass top
total amount
feel | 
tire fatigue exhaust
invent devise create
export | import
lend | borrow
borrow loan
hire rent lease
gather harvest collect pick
freeze | thaw melt
lift raise | lower
`

/** Forms that no spelling rule leads back to their base form. */
export const IRREGULAR =
  'bought:buy sold:sell built:build found:find made:make drew:draw drawn:draw rose:rise risen:rise grew:grow grown:grow fell:fall fallen:fall began:begin begun:begin won:win lost:lose ' +
  'beat:beat beaten:beat died:die born:bear taught:teach wrote:write written:write led:lead held:hold kept:keep gave:give given:give took:take taken:take got:get gotten:get went:go gone:go ' +
  'came:come left:leave met:meet paid:pay said:say told:tell thought:think knew:know known:known sent:send spent:spend stole:steal stolen:steal ate:eat eaten:eat fed:feed saw:see seen:see ' +
  'shown:show spoke:speak spoken:speak stood:stand sat:sit lay:lie lain:lie ran:run sang:sing sung:sing chose:choose chosen:choose fought:fight caught:catch brought:bring sought:seek ' +
  'flew:fly flown:fly froze:freeze frozen:freeze hid:hide hidden:hide lent:lend meant:mean rode:ride ridden:ride shot:shoot struck:strike swam:swim threw:throw thrown:throw tore:tear torn:tear ' +
  'wore:wear worn:wear dug:dig forbade:forbid forbidden:forbid forgot:forget forgotten:forget forgave:forgive became:become felt:feel sank:sink sunk:sink shrank:shrink shrunk:shrink drove:drive ' +
  'driven:drive broke:break broken:break laid:lay lit:light slept:sleep understood:understand withdrew:withdraw withdrawn:withdraw overcame:overcome arose:arise arisen:arise bore:bear ' +
  'men:man women:woman children:child wives:wife lives:life mice:mouse feet:foot teeth:tooth better:good best:best worse:bad worst:worst dying:die lying:lie'
