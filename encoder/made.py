"""Texts made by rule, for the names and the kinds of question that no packaged text has enough of: leads of articles about people, films, bands,
places and firms that do not exist, and questions about them. What they say is invented; the teacher's vector of them is not."""

import random

from faker import Faker

LOCALES = ["en_US", "en_GB", "en_IN", "de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pl_PL", "sv_SE", "pt_BR", "tr_TR", "cs_CZ", "fi_FI", "no_NO", "hu_HU", "ro_RO", "id_ID", "da_DK", "es_MX", "en_NG"]
NATIONS = "American British English Scottish Irish Canadian Australian French German Italian Spanish Portuguese Dutch Belgian Swedish Norwegian Danish Finnish Polish Russian Ukrainian Hungarian Romanian Greek Turkish Israeli Iranian Indian Pakistani Bangladeshi Chinese Japanese Korean Thai Indonesian Filipino Vietnamese Egyptian Nigerian Ghanaian Kenyan South-African Brazilian Argentine Mexican Colombian Chilean Cuban Swiss Austrian Czech Serbian Croatian".split()
JOBS = "actor,actress,film director,screenwriter,film producer,singer,songwriter,rapper,record producer,composer,conductor,pianist,guitarist,drummer,novelist,poet,playwright,journalist,historian,philosopher,mathematician,physicist,chemist,biologist,astronomer,physician,engineer,inventor,architect,painter,sculptor,photographer,fashion designer,model,politician,lawyer,judge,diplomat,general,admiral,businessman,businesswoman,banker,entrepreneur,footballer,cricketer,basketball player,baseball pitcher,ice hockey goaltender,tennis player,swimmer,sprinter,boxer,racing driver,cyclist,chess player,coach,bishop,missionary,nobleman,explorer,naturalist,comedian,television presenter,dancer,choreographer,animator,cartoonist,economist,linguist,psychologist,activist".split(",")
GENRES = "drama,comedy,romantic comedy,action,thriller,horror,science fiction,fantasy,adventure,western,war,musical,crime,mystery,documentary,animated,silent,biographical,historical,family,superhero,martial arts,film noir".split(",")
MUSIC = "rock,pop,punk rock,heavy metal,death metal,indie rock,folk,country,jazz,blues,hip hop,R&B,soul,electronic,house,reggae,classical,alternative rock,progressive rock,new wave,synth-pop,ska,gospel".split(",")
PLACES = "village,town,city,municipality,river,lake,mountain,island,county,district,suburb,railway station,castle,church,museum,airport,school,high school,university,stadium,bridge,park,hospital,prison,cemetery".split(",")
FIRMS = "airline,software company,record label,newspaper,magazine,publisher,bank,car manufacturer,brewery,supermarket chain,television channel,radio station,video game developer,pharmaceutical company,railway company,shipyard,fashion house,restaurant chain,football club,basketball team,law firm,film studio,insurance company".split(",")
BEINGS = "species of beetle,species of moth,species of fish,species of frog,genus of plants,species of orchid,species of bird,species of snail,genus of dinosaurs,species of spider,breed of dog,species of bat".split(",")
EVENTS = "battle,election,earthquake,football final,film festival,treaty,strike,siege,tournament,concert tour,trial,flood,expedition,air crash,rebellion".split(",")
MONTHS = "January February March April May June July August September October November December".split()


class World:
    def __init__(self, seed, words, cities, titles):
        self.rng = random.Random(seed)
        self.words, self.cities, self.titles = words, cities, titles
        self.fakers = [Faker(locale) for locale in LOCALES]
        for i, fake in enumerate(self.fakers):
            fake.seed_instance(seed + i)

    def of(self, options):
        return self.rng.choice(options)

    def person(self):
        fake = self.of(self.fakers)
        name = f"{fake.first_name()} {fake.last_name()}"
        return name if self.rng.random() < 0.8 else f"{fake.first_name()} {fake.first_name()[0]}. {fake.last_name()}"

    def work(self):
        word = lambda: self.of(self.words).title()
        return self.of([lambda: f"The {word()} {word()}", lambda: f"{word()} {word()}", lambda: word(), lambda: f"The {word()}", lambda: f"{word()} of the {word()}", lambda: f"{word()} and {word()}", lambda: f"{self.of(self.fakers).first_name()}'s {word()}", lambda: f"A {word()} in {self.of(self.cities)[0]}", lambda: f"{word()} for {self.of(self.fakers).first_name()}", lambda: f"My {word()} {word()}"])()

    def date(self, low=1850, high=2015):
        return f"{self.of(MONTHS)} {self.rng.randint(1, 28)}, {self.rng.randint(low, high)}" if self.rng.random() < 0.5 else f"{self.rng.randint(1, 28)} {self.of(MONTHS)} {self.rng.randint(low, high)}"

    def year(self, low=1880, high=2022):
        return str(self.rng.randint(low, high))

    def place(self):
        return ", ".join(self.of(self.cities))

    def about_person(self):
        name, job, job2, nation, born, died = self.person(), self.of(JOBS), self.of(JOBS), self.of(NATIONS), self.date(), self.date(1900, 2022)
        wife, city, work, known = self.person(), self.place(), self.work(), self.of(self.titles)
        last = name.split()[-1]
        he = self.of(["He", "She"])
        lead = self.of([f"{name} (born {born}) is a {nation} {job} and {job2}.", f"{name} ({born} – {died}) was a {nation} {job}.", f"{name} (born {born} in {city}) is a {nation} {job}, best known for \"{work}\".", f"{name} was a {nation} {job} and {job2} who worked with {wife}."])
        more = [f"{he} was born in {city}.", f"{he} is best known for {his(he)} role in \"{work}\" ({self.year()}).", f"{he} married the {job2} {wife} in {self.year()}.", f"{last} studied at the University of {self.of(self.cities)[0]}.", f"{he} was the {self.of(['son', 'daughter', 'brother', 'father', 'mother'])} of {wife}.", f"{he} played for {self.of(self.cities)[0]} {self.of(['United', 'City', 'Rovers', 'Athletic', 'Tigers', 'Bulls', 'FC'])} from {self.year()} to {self.year()}.", f"{he} died in {self.place()}.", f"{he} won the {known} award in {self.year()}.", f"{he} directed the film \"{self.work()}\".", f"{he} released the album \"{self.work()}\" in {self.year()}."]
        asks = [f"Where was {name} born?", f"When was {name} born?", f"Who is {name} married to?", f"What is the nationality of {name}?", f"Which {nation} {job} is best known for \"{work}\"?", f"Who was the {job} that married {wife}?", f"Are {name} and {wife} both {job}s?", f"Do {name} and {wife} share the same nationality?", f"Who is the spouse of the {job} {name}?", f"Where did {name} die?", f"What is the date of death of {name}?", f"Who was born first, {name} or {wife}?", f"Who is older, {name} or {wife}?", f"Who is {name}'s father?", f"{name} is known for a role in a film by which director?", f"Which university did {name} attend?", f"What is the place of birth of the performer of the song {work}?", f"What {nation} {job} born in {born.split()[-1]} worked with {wife}?"]
        return name, lead, more, asks

    def about_film(self):
        film, who, a, b, nation, genre, year = self.work(), self.person(), self.person(), self.person(), self.of(NATIONS), self.of(GENRES), self.year(1915, 2022)
        other = self.work()
        lead = self.of([f"{film} is a {year} {nation} {genre} film directed by {who} and starring {a} and {b}.", f"{film} is a {year} {genre} film written and directed by {who}.", f"{film} is a {nation} television series created by {who}, first aired on {self.date(1950)}.", f"{film} is a {year} {genre} novel by {who}."])
        more = [f"It stars {a}, {b} and {self.person()}.", f"The film was produced by {self.person()} and released by {self.of(self.fakers).company()}.", f"It is based on the novel \"{other}\" by {self.person()}.", f"The music was composed by {self.person()}.", f"It was shot in {self.place()}.", f"The film tells the story of a {self.of(JOBS)} who moves to {self.of(self.cities)[0]}.", f"It is a remake of the {self.year()} film \"{other}\".", f"It was nominated for {self.rng.randint(1, 9)} awards."]
        asks = [f"Who directed {film}?", f"Who is the director of the film {film}?", f"Where was the director of film {film} born?", f"What nationality is the director of the film {film}?", f"Which film was released first, {film} or {other}?", f"Which film has the director born later, {film} or {other}?", f"Who is the mother of the director of film {film}?", f"What is the name of the {year} {genre} film starring {a} and {b}?", f"Which {nation} {genre} film directed by {who} stars {a}?", f"When did the director of {film} die?", f"Are the directors of {film} and {other} from the same country?", f"{a} starred in which {year} film directed by {who}?", f"Who played the lead in {film}?", f"Who wrote the novel that {film} is based on?", f"Who composed the music of the film {film}?"]
        return film, lead, more, asks

    def about_music(self):
        band, album, who, genre, nation, city = self.work(), self.work(), self.person(), self.of(MUSIC), self.of(NATIONS), self.place()
        lead = self.of([f"{band} is a {nation} {genre} band from {city}, formed in {self.year(1955)}.", f"\"{band}\" is a song by {nation} {genre} singer {who}.", f"{band} is the {self.of(['first', 'second', 'third', 'fourth', 'debut', 'final'])} studio album by {nation} {genre} band {album}.", f"{band} were a {genre} group whose members included {who} and {self.person()}."])
        more = [f"It was released on {self.date(1950)} by {self.of(self.words).title()} Records.", f"The band consists of {who} (vocals), {self.person()} (guitar) and {self.person()} (drums).", f"Their album \"{album}\" reached number {self.rng.randint(1, 40)} on the charts.", f"The song was written by {who} and produced by {self.person()}.", f"They toured with {self.of(self.titles)} in {self.year()}."]
        asks = [f"Who is the lead singer of {band}?", f"Who is the performer of the song {band}?", f"In what year was the {genre} band {band} formed?", f"Which {nation} {genre} band released the album {album}?", f"What city is the band {band} from?", f"Which record label released {band}?", f"Are {band} and {album} both {genre} bands?", f"Who formed first, {band} or {album}?", f"What is the birthplace of the singer of {band}?", f"Which band has more members, {band} or {album}?"]
        return band, lead, more, asks

    def about_place(self):
        (city, country), kind, who = self.of(self.cities), self.of(PLACES), self.person()
        other = self.of(self.cities)[0]
        name = self.of([city, f"{city} {kind.title()}", f"{who.split()[-1]} {kind.title()}", f"{self.of(self.words).title()} {kind.title()}"])
        lead = self.of([f"{name} is a {kind} in {other}, {country}.", f"{name} is a {kind} located near {city}, {country}.", f"{name} is a {kind} in the {other} district of {country}, with a population of {self.rng.randint(300, 900000):,}.", f"The {name} is a {kind} in {country}, founded in {self.year(1500)}."])
        more = [f"It was named after {who}.", f"It was built in {self.year(1500)} by {who}.", f"As of {self.year(1990)}, the population was {self.rng.randint(300, 900000):,}.", f"It lies on the border between {other} and {city}.", f"It is the birthplace of the {self.of(JOBS)} {who}.", f"It is part of the {other} metropolitan area.", f"It serves the people of {other}.", f"It is {self.rng.randint(2, 90)} km {self.of(['north', 'south', 'east', 'west'])} of {other}."]
        asks = [f"Where is {name}?", f"In which country is {name} located?", f"What is the population of {name}?", f"Who founded {name}?", f"What county is {name} in?", f"Are {name} and {other} in the same country?", f"What {kind} is named after {who}?", f"What is the capital of the country where {name} is?", f"When was {name} built?", f"Which is larger, {name} or {other}?", f"Which {kind} near {other} was built by {who}?", f"What city is {name} a suburb of?"]
        return name, lead, more, asks

    def about_thing(self):
        fake, who, city, nation = self.of(self.fakers), self.person(), self.place(), self.of(NATIONS)
        firm, kind = self.of([fake.company(), f"{self.of(self.words).title()} {self.of(['Group', 'Airlines', 'Records', 'Times', 'Motors', 'Bank', 'FC', 'Studios', 'Systems', 'Press'])}"]), self.of(FIRMS)
        roll = self.rng.random()
        if roll < 0.5:
            lead = self.of([f"{firm} is a {nation} {kind} based in {city}.", f"{firm} is a {kind} headquartered in {city}, founded in {self.year()} by {who}.", f"{firm} was a {nation} {kind} owned by {fake.company()}."])
            more = [f"It was founded by {who} in {self.year()}.", f"It was acquired by {fake.company()} in {self.year()}.", f"Its chief executive is {self.person()}.", f"It employs {self.rng.randint(20, 90000):,} people.", f"It operates in {self.of(self.cities)[1]} and {self.of(self.cities)[1]}."]
            asks = [f"Who founded {firm}?", f"Where is the headquarters of {firm}?", f"Which {kind} is based in {city}?", f"Who owns {firm}?", f"What company acquired the {kind} founded by {who}?", f"When was {firm} founded?", f"Which {nation} {kind} was founded by {who}?", f"Who is the chief executive of {firm}?", f"How many employees does {firm} have?"]
            return firm, lead, more, asks
        if roll < 0.75:
            event = f"{self.of(self.cities)[0]} {self.of(EVENTS)}"
            lead = f"The {self.year(1500)} {event} took place on {self.date(1600)} in {city}."
            more = [f"It was won by {who}.", f"It ended with the defeat of {self.person()}.", f"About {self.rng.randint(3, 5000)} people took part.", f"It was followed by the {self.of(self.words)} of {self.year()}."]
            asks = [f"When did the {event} take place?", f"Who won the {event}?", f"Where was the {event} held?", f"How many people took part in the {event}?", f"Who was defeated in the {event}?"]
            return event, lead, more, asks
        thing, kind = f"{self.of(self.words).title()} {self.of(self.words)}", self.of(BEINGS)
        lead = f"{thing} is a {kind} found in {self.of(self.cities)[1]} and {self.of(self.cities)[1]}."
        more = [f"It was described by {who} in {self.year(1760)}.", f"It is named after {self.person()}.", f"It reaches a length of {self.rng.randint(2, 300)} cm.", "It is threatened by habitat loss."]
        asks = [f"What is {thing}?", f"Where is {thing} found?", f"Which {kind} was described by {who}?", f"Are {thing} and {self.of(self.words).title()} both a {kind}?", f"How large is {thing}?"]
        return thing, lead, more, asks


def his(he):
    return "his" if he == "He" else "her"


def everything(seed, count, words, cities, titles):
    world = World(seed, words, cities, titles)
    kinds = [world.about_person] * 5 + [world.about_film] * 4 + [world.about_music] * 2 + [world.about_place] * 2 + [world.about_thing] * 3
    for i in range(count):
        name, lead, more, asks = world.of(kinds)()
        group = f"made/{i}"
        chosen = world.rng.sample(more, min(len(more), world.rng.randint(1, 4)))
        text = " ".join([lead, *chosen])
        yield group, world.of([f"{name}\n{text}", text, text])
        if world.rng.random() < 0.5:
            yield group, world.of([lead, *chosen])
        for question in world.rng.sample(asks, min(3, len(asks))):
            yield group, question
