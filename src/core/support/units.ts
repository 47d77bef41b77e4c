/** Units of four languages and how they convert, so that 412 m is 412 metres and 12 months are one year. Data only. */

export interface Unit {
  /** What is measured; only amounts of the same thing are compared. */
  readonly of: string
  /** In the smallest unit of its kind. */
  readonly factor: number
}

const TABLE: { readonly [of: string]: string } = {
  length:
    'mm/millimetre/millimeter/millimètre/milímetro:0.001 cm/centimetre/centimeter/zentimeter/centimètre/centímetro:0.01 m/metre/meter/metern/mètre/metro:1 ' +
    'km/kilometre/kilometer/kilometern/kilomètre/kilómetro:1000 mile/miles/mi/meile/meilen/milla:1609.34 ft/foot/feet/fuß/pied/pie:0.3048 inch/inches/zoll/pouce/pulgada:0.0254 yard/yards:0.9144',
  area: 'm²/m2/sqm/quadratmeter:1 km²/km2/quadratkilometer/quadratkilometern:1e6 hectare/hectares/hektar/ha/hectárea:1e4 acre/acres:4046.86',
  mass: 'mg/milligram/milligramm/milligramme/miligramo:1e-6 g/gram/gramm/gramme/gramo:0.001 kg/kilo/kilogram/kilogramm/kilogramme/kilogramo:1 t/ton/tons/tonne/tonnen/tonelada:1000 lb/lbs/pfund:0.4536',
  volume: 'ml/millilitre/milliliter/mililitro:0.001 l/litre/liter/litern/litro:1 gallon/gallons/gallone:3.785',
  time: 's/sec/second/sekunde/sekunden/seconde/segundo:1 min/minute/minuten/minuto:60 h/hour/stunde/stunden/heure/hora:3600 day/tag/tage/tagen/jour/día/dia:86400 week/woche/wochen/semaine/semana:604800',
  months:
    'month/monat/monate/monaten/mois/mes/meses:1 year/jahr/jahre/jahren/an/ans/année/año/jährig:12 decade/jahrzehnt/décennie/década:120 century/jahrhundert/siècle/siglo:1200',
  energy:
    'wh:1 kwh/kilowattstunde/kilowattstunden:1e3 mwh/megawattstunden:1e6 gwh/gigawatthour/gigawattstunde/gigawattstunden/gigawattheure/gigavatio:1e9 twh:1e12',
  power: 'w/watt:1 kw/kilowatt:1e3 mw/megawatt:1e6 gw/gigawatt:1e9',
  data: 'kb/kilobyte:1e3 mb/megabyte:1e6 gb/gigabyte:1e9 tb/terabyte:1e12',
  share: '%/percent/percentage/prozent/pourcent:1',
  temperature: '°c/celsius/grad/degré/degree/grado/°:1',
  euro: '€/eur/euro/euros:1',
  dollar: '$/usd/dollar/dólar:1',
  pound: '£/gbp/pound/pfund/livre/libra:1',
  yen: '¥/yen:1',
  franc: 'franc/franken/franco/chf:1',
  clock: 'uhr/am/pm:1',
}

const UNITS = new Map<string, Unit>()
for (const [of, list] of Object.entries(TABLE)) {
  for (const entry of list.split(' ')) {
    const at = entry.lastIndexOf(':')
    for (const name of entry.slice(0, at).split('/')) UNITS.set(name, { of, factor: Number(entry.slice(at + 1)) })
  }
}

/** `word`: in lower case, singular or plural. */
export function unitOf(word: string): Unit | undefined {
  return (
    UNITS.get(word) ?? (word.length > 3 && /[sn]$/.test(word) ? (UNITS.get(word.slice(0, -1)) ?? UNITS.get(word.slice(0, -2))) : undefined)
  )
}
