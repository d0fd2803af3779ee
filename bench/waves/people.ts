/** Names of people in eight languages, as they sign up. */
const names: readonly (readonly [first: string, last: string])[] = [
  ['james mary john linda robert susan david karen', 'smith jones taylor brown wilson evans walker wright'],
  ['hans greta jürgen sabine klaus monika stefan heike', 'müller schmidt schneider fischer weber meyer wagner becker'],
  ['jean marie pierre sophie luc camille hugo chloé', 'martin bernard dubois thomas robert richard petit durand'],
  ['josé maría luis carmen javier ana pablo lucía', 'garcía fernández gonzález rodríguez lópez martínez sánchez'],
  ['marco giulia luca francesca paolo chiara matteo sara', 'rossi russo ferrari esposito bianchi romano colombo'],
  ['jan anna piotr katarzyna tomasz agnieszka marek ewa', 'nowak kowalski wiśniewski wójcik kamiński lewandowski'],
  ['mehmet ayşe mustafa fatma ahmet emine ali zeynep', 'yılmaz kaya demir çelik şahin yıldız öztürk aydın'],
  ['joão ana pedro beatriz tiago inês rui sofia', 'silva santos ferreira pereira oliveira costa rodrigues'],
].map(([first = '', last = '']) => [first, last] as const);

const ascii = (text: string): string =>
  text.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ı', 'i').replaceAll('ł', 'l').replaceAll('ß', 'ss');

/** A random number from 0 to 1. */
export type Random = () => number;

export const oneOf = <T>(random: Random, items: readonly T[]): T => items[Math.floor(random() * items.length)] as T;
export const between = (random: Random, low: number, high: number): number =>
  low + Math.floor(random() * (high - low + 1));
export const letters = (random: Random, count: number): string =>
  Array.from({ length: count }, () => oneOf(random, [...'abcdefghijklmnopqrstuvwxyz'])).join('');
export const digits = (random: Random, count: number): string =>
  Array.from({ length: count }, () => between(random, 0, 9)).join('');

/** The local part that a person chooses. At work it is usually the scheme of the company. */
export function localPart(random: Random, scheme: number | null = null): string {
  const [firsts, lasts] = oneOf(random, names);
  const first = ascii(oneOf(random, firsts.split(' ')));
  const last = ascii(oneOf(random, lasts.split(' ')));
  const chosen = scheme ?? between(random, 0, 7);
  const forms = [
    `${first}.${last}`,
    `${first[0]}${last}`,
    first,
    `${first}${last}`,
    `${first}_${last}`,
    `${last}.${first}`,
    `${first}${last}${digits(random, 2)}`,
    `${first}${digits(random, between(random, 2, 4))}`,
  ];
  return forms[chosen] ?? first;
}
