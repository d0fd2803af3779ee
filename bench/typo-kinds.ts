import type { SeededRandom } from './seeded-random.ts';

/** Keys in rows, each with how far it is set to the right; digits and letters only, because domains have nothing else. */
type Layout = readonly (readonly [keys: string, shift: number])[];

const qwerty: Layout = [
  ['1234567890', 0],
  ['qwertyuiop', 0.5],
  ['asdfghjkl', 0.75],
  ['zxcvbnm', 1.25],
];
const qwertz: Layout = [
  ['1234567890', 0],
  ['qwertzuiop', 0.5],
  ['asdfghjkl', 0.75],
  ['yxcvbnm', 1.25],
];
/** Its digits need the shift key. */
const azerty: Layout = [
  ['', 0],
  ['azertyuiop', 0.5],
  ['qsdfghjklm', 0.75],
  ['wxcvbn', 1.25],
];

/** Letters of other scripts that look like a letter of a domain in most typefaces. */
const twins: Readonly<Record<string, string>> = {
  a: 'аα',
  c: 'сϲ',
  e: 'е',
  h: 'һ',
  i: 'іı',
  j: 'ј',
  o: 'оο',
  p: 'рρ',
  s: 'ѕ',
  u: 'υ',
  v: 'ν',
  x: 'хχ',
  y: 'уγ',
};

/** Mail services that people type: the largest of the world and of each region. Chosen by hand, not read from the suggester's table. */
export const typedServices: readonly string[] = `
  gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com proton.me protonmail.com ymail.com googlemail.com
  comcast.net verizon.net att.net sbcglobal.net bellsouth.net cox.net charter.net earthlink.net shaw.ca rogers.com sympatico.ca
  btinternet.com yahoo.co.uk hotmail.co.uk sky.com virginmedia.com ntlworld.com talktalk.net eircom.net bigpond.com optusnet.com.au xtra.co.nz
  gmx.de gmx.net web.de t-online.de freenet.de posteo.de mailbox.org arcor.de gmx.at chello.at aon.at bluewin.ch hispeed.ch
  orange.fr wanadoo.fr free.fr sfr.fr laposte.net neuf.fr hotmail.fr yahoo.fr skynet.be telenet.be proximus.be ziggo.nl planet.nl kpnmail.nl
  hetnet.nl xs4all.nl libero.it virgilio.it alice.it tiscali.it tin.it hotmail.it terra.es telefonica.net hotmail.es yahoo.es sapo.pt
  telia.com spray.se online.no jubii.dk mail.dk luukku.com wp.pl onet.pl interia.pl o2.pl seznam.cz centrum.cz email.cz azet.sk zoznam.sk
  freemail.hu citromail.hu abv.bg mail.bg inbox.lv one.lt mail.ee mail.ru yandex.ru rambler.ru list.ru bk.ru inbox.ru ukr.net
  uol.com.br bol.com.br terra.com.br ig.com.br yahoo.com.br globo.com yahoo.com.mx yahoo.com.ar hotmail.com.ar
  qq.com 163.com 126.com sina.com sohu.com naver.com daum.net hanmail.net nate.com yahoo.co.jp docomo.ne.jp ezweb.ne.jp nifty.com
  rediffmail.com yahoo.co.in yahoo.com.ph yahoo.co.id walla.co.il netvision.net.il mynet.com mweb.co.za telkomsa.net
`
  .trim()
  .split(/\s+/);

/** One way to mistype a domain: every text that it leads to. */
export interface TypoKind {
  readonly name: string;
  /** The set of the report that it belongs to. */
  readonly set: 'generated' | 'keyboards and whole labels';
  readonly typed: (domain: string) => string[];
}

/** `isSuffix` excludes a mistyped suffix that exists. */
export function typoKinds(isSuffix: (name: string) => boolean): readonly TypoKind[] {
  const generated = { set: 'generated' } as const;
  const whole = { set: 'keyboards and whole labels' } as const;
  return [
    { ...generated, name: 'a key missed', typed: inLabel(() => ['']) },
    { ...generated, name: 'a key hit twice', typed: inLabel((key) => [key + key]) },
    { ...generated, name: 'two keys swapped', typed: inLabel((key, next) => (next === '' ? [] : [next + key]), 2) },
    { ...generated, name: 'the key beside, QWERTY', typed: inLabel((key) => keysBeside(qwerty, key)) },
    {
      ...generated,
      name: 'the key beside too, QWERTY',
      typed: inLabel((key) => keysBeside(qwerty, key).map((beside) => key + beside)),
    },
    { ...generated, name: 'the suffix', typed: (domain) => mistypedSuffixes(domain, isSuffix) },
    { ...whole, name: 'the key beside, QWERTZ', typed: inLabel((key) => onlyThere(qwertz, key)) },
    { ...whole, name: 'the key beside, AZERTY', typed: inLabel((key) => onlyThere(azerty, key)) },
    { ...whole, name: 'a letter of another script', typed: inLabel((key) => [...(twins[key] ?? '')]) },
    { ...whole, name: 'www in front', typed: (domain) => [`www.${domain}`, `www${domain}`] },
    { ...whole, name: 'the last label twice', typed: (domain) => [domain + domain.slice(domain.lastIndexOf('.'))] },
    { ...whole, name: 'com behind', typed: (domain) => [`${domain}.com`] },
    { ...whole, name: 'a dot missing', typed: dots('') },
    { ...whole, name: 'a dot twice', typed: dots('..') },
  ];
}

/** One typo of each kind for each service, drawn with the seed; texts that are another service are left out. */
export function drawTypos(random: SeededRandom, kinds: readonly TypoKind[]) {
  const services = new Set(typedServices);
  return kinds.flatMap(({ name, set, typed }) =>
    typedServices.flatMap((meant) => {
      const all = typed(meant).filter((text) => text !== meant && !services.has(text));
      return all.length === 0 ? [] : [{ set, kind: name, typed: random.pick(all), meant }];
    }),
  );
}

/** Replaces each key of the label (`width` of them) in turn. */
function inLabel(replace: (key: string, next: string) => readonly string[], width = 1) {
  return (domain: string): string[] => {
    const label = domain.slice(0, domain.indexOf('.'));
    return [...label].flatMap((key, at) =>
      replace(key, label[at + 1] ?? '')
        .map((keys) => label.slice(0, at) + keys + label.slice(at + width))
        .filter((typed) => typed !== '' && typed !== label)
        .map((typed) => typed + domain.slice(label.length)),
    );
  };
}

function dots(instead: string) {
  return (domain: string): string[] =>
    [...domain.matchAll(/\./g)].map(({ index }) => domain.slice(0, index) + instead + domain.slice(index + 1));
}

function mistypedSuffixes(domain: string, isSuffix: (name: string) => boolean): string[] {
  const dot = domain.indexOf('.');
  const suffix = domain.slice(dot + 1);
  const typed = [...suffix].flatMap((key, at) => {
    const [before, after, next] = [suffix.slice(0, at), suffix.slice(at + 1), suffix[at + 1] ?? ''];
    const swapped = next === '' ? [] : [before + next + key + suffix.slice(at + 2)];
    return [before + after, before + key + key + after, ...swapped];
  });
  const isUsable = (each: string): boolean =>
    !isSuffix(each) && each !== suffix && /^[a-z]+(\.[a-z]+)*$/.test(each) && !/(^|\.)[a-z]$/.test(each);
  return typed.filter(isUsable).map((each) => `${domain.slice(0, dot)}.${each}`);
}

/** The neighbours that a key has on this keyboard and not on QWERTY. */
function onlyThere(layout: Layout, key: string): string[] {
  const usual = keysBeside(qwerty, key);
  return keysBeside(layout, key).filter((beside) => !usual.includes(beside));
}

function keysBeside(layout: Layout, key: string): string[] {
  const keys = layout.flatMap(([row, shift], y) => [...row].map((each, x) => ({ each, x: x + shift, y })));
  const at = keys.find(({ each }) => each === key);
  if (at === undefined) return [];
  return keys
    .filter(({ each, x, y }) => each !== key && Math.abs(y - at.y) <= 1 && Math.abs(x - at.x) <= (y === at.y ? 1 : 0.8))
    .map(({ each }) => each);
}
