/**
 * Countries and territories (ISO 3166-1 alpha-2, and XK for Kosovo) by continent. A country in two continents has the
 * usual assignment of geolocation databases, so that rules carry over: Russia and Cyprus are Europe, Turkey, the
 * Caucasus and Kazakhstan are Asia, Egypt is Africa.
 */
const countriesOf = {
  AF:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG ' +
    'RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW',
  AN: 'AQ BV GS HM TF',
  AS:
    'AE AF AM AZ BD BH BN BT CC CN CX GE HK ID IL IN IO IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH ' +
    'PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  EU:
    'AD AL AT AX BA BE BG BY CH CY CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT ' +
    'NL NO PL PT RO RS RU SE SI SJ SK SM UA VA XK',
  NA:
    'AG AI AW BB BL BM BQ BS BZ CA CR CU CW DM DO GD GL GP GT HN HT JM KN KY LC MF MQ MS MX NI PA PM PR SV SX TC TT US ' +
    'VC VG VI',
  OC: 'AS AU CK FJ FM GU KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  SA: 'AR BO BR CL CO EC FK GF GY PE PY SR UY VE',
};

const continentNames = new Map([
  ['AF', 'Africa'],
  ['AN', 'Antarctica'],
  ['AS', 'Asia'],
  ['EU', 'Europe'],
  ['NA', 'North America'],
  ['OC', 'Oceania'],
  ['SA', 'South America'],
]);

const continents = new Map(
  Object.entries(countriesOf).flatMap(([continent, codes]) =>
    codes.split(' ').map((code): [string, string] => [code, continent]),
  ),
);

let names: Intl.DisplayNames | null = null;
const knownNames = new Map<string, string | null>();

/** The continent of a country, as a code; null for a code that belongs to no country. */
export function continentOf(countryCode: string): string | null {
  return continents.get(countryCode) ?? null;
}

/** The English name of a continent's code. */
export function continentName(continentCode: string): string | null {
  return continentNames.get(continentCode) ?? null;
}

/** The English name of a country's code (Unicode CLDR); null for a code that belongs to no country. */
export function countryName(countryCode: string): string | null {
  const known = knownNames.get(countryCode);
  if (known !== undefined) return known;
  // Codes without a continent are regions, reserved or made up, and must not make the cache grow.
  if (!continents.has(countryCode)) return null;
  names ??= new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  const name = names.of(countryCode) ?? null;
  knownNames.set(countryCode, name);
  return name;
}
