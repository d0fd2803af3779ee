import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import data from '../../data/typo-targets.json' with { type: 'json' };
import { parseDomain } from './domain.ts';
import { createSuggester } from './suggest.ts';
import { type TypoTarget, targetsOf } from './typo-target.ts';

const suggest = createSuggester(data);
const allTargets = targetsOf(data).map(({ domain }) => domain);

/** A suggester over a few targets and nothing else. */
const suggesterOf = (targets: readonly TypoTarget[]) =>
  createSuggester({
    targets,
    families: [],
    national: {},
    suffixSlips: {},
    corrections: {},
    never: [],
    neverLabels: [],
  });

/** What people type, by what they mean. */
const typos: Record<string, string> = {
  'gmail.com': `gmial.com gmal.com gmil.com gmai.com gamil.com gnail.com gmaill.com gmaiil.com gmmail.com ggmail.com
    gail.com gmali.com gmaul.com gmaol.com gmsil.com gmaik.com gmailo.com fmail.com hmail.com gmeil.com gimail.com gemail.com
    gmail.con gmail.cmo gmail.ocm gmail.vom gmail.xom gmail.cim gmail.cpm gmail.comm gmail.coom gmail.ccom gmail.clm gmail.cok
    gmail.co gmail.cm gmail.om gmail.c gmail.net gmail.org gmail.co.uk gmail.com.br gmail.comn gmail.dom gmailc.om gmai.lcom
    gmial.con gmal.co gnail.cm gmaul.cim gmnail.com gmaail.com gnmail.com g-mail.com gmailcom.com gmaol.con www.gmail.com`,
  'yahoo.com': `yaho.com yahooo.com yhoo.com yaoo.com yhaoo.com yahho.com yahpo.com yahoi.com yajoo.com ahoo.com uahoo.com
    tahoo.com yahoo.con yahoo.co yahoo.cm yahoo.om yahoo.cmo yaahoo.com yshoo.com yahou.com yaho.con yahop.com yahooh.com`,
  'hotmail.com': `hotmial.com hotmal.com hotmil.com hotmai.com hotmaill.com hotnail.com hotamil.com hormail.com homail.com
    hotail.com htmail.com otmail.com hotmsil.com hotmaul.com hitmail.com hotmali.com hotmaik.com hotmale.com hootmail.com
    hotmail.con hotmail.co hotmail.cm hotmail.om hotmail.vom h0tmail.com hotmeil.com hotmial.con hotmall.com hptmail.com jotmail.com`,
  'outlook.com': `outlok.com outloo.com outlokk.com outloook.com oulook.com otlook.com outllok.com outlool.com oultook.com
    putlook.com iutlook.com outlook.con outlook.co outlook.cm outlook.om outllook.com outlock.com outlouk.com utlook.com`,
  'icloud.com': `iclod.com icoud.com icloude.com iclould.com icluod.com iclooud.com iclou.com icloud.con icloud.co icloud.cm
    icloud.om iclud.com icolud.com iclpud.com icliud.com iclound.com i-cloud.com`,
  'aol.com': 'aoll.com aool.com aaol.com aol.con aol.co aol.cm aol.om aol.cmo aol.vom',
  'msn.com': 'msn.con msn.co msn.cm msnn.com mssn.com',
  'live.com': 'live.con live.cmo lvie.com livee.com liev.com',
  'protonmail.com':
    'protonmial.com protonmai.com protomail.com prtonmail.com protonmail.co protonmail.con porotnmail.com',
  'proton.me': 'protn.me porton.me proton.mee protoon.me',
  'googlemail.com': 'googlemial.com googelmail.com goglemail.com googlemail.con gogglemail.com',
  'ymail.com': 'ymial.com ymaill.com ymail.con',
  'zoho.com': 'zohoo.com zhoo.com zoho.con',
  'me.com': 'me.con me.cmo',
  'mac.com': 'mac.con mac.vom',
  'fastmail.com': 'fastmial.com fasmail.com fastmail.con',
  'yahoo.co.uk': 'yaho.co.uk yahooo.co.uk yahoo.co.ul yahoo.couk yahoo.cp.uk yahoo.co.k yhaoo.co.uk',
  'yahoo.fr': 'yaho.fr yahooo.fr yahoo.ff yhaoo.fr',
  'yahoo.de': 'yahho.de yaoo.de',
  'yahoo.com.br': 'yaho.com.br yahoo.con.br yahooo.com.br',
  'yahoo.co.in': 'yahooo.co.in yaho.co.in',
  'hotmail.co.uk': 'hotmial.co.uk hotmal.co.uk hotmail.co.uj hotmail.co.ik',
  'hotmail.fr': 'hotmial.fr hotmal.fr homail.fr hotmail.ft',
  'hotmail.it': 'hotmial.it hormail.it',
  'hotmail.es': 'hotmial.es hotmil.es',
  'comcast.net':
    'comast.net comcst.net comcat.net concast.net comcast.ner comcast.nte comcast.ne comcas.net comcsat.net',
  'verizon.net': 'verizn.net verzon.net verison.net verizon.ney veriozn.net',
  'sbcglobal.net': 'sbcgloble.net sbcglobl.net sbglobal.net sbcglobal.ner sbcglobal.com',
  'att.net': 'att.ner attt.net',
  'bellsouth.net': 'belsouth.net bellsouth.ent bellsotuh.net',
  'cox.net': 'cox.ner coxx.net',
  'btinternet.com': 'btinternt.com btinterent.com btintenet.com btinternet.con',
  'gmx.de': 'gmx.dee gmxx.de',
  'gmx.net': 'gmx.ner gmxx.net',
  'web.de': 'web.dd weeb.de',
  't-online.de': 't-onlin.de t-onilne.de tonline.de',
  'orange.fr': 'ornage.fr oramge.fr orangee.fr',
  'wanadoo.fr': 'wanado.fr wanadoo.ft wandoo.fr',
  'free.fr': 'freee.fr free.ft',
  'laposte.net': 'lapost.net lapsote.net',
  'libero.it': 'liber.it libeor.it lubero.it',
  'mail.ru': 'mial.ru maill.ru mail.tu mail.rru',
  'yandex.ru': 'yandx.ru yadnex.ru yandex.ri',
  'rambler.ru': 'ramler.ru rambelr.ru',
  'qq.com': 'qq.con qq.cmo',
  '163.com': '163.con 163.comm',
  'naver.com': 'naver.con nave.rcom navver.com',
  'rediffmail.com': 'redifmail.com rediffmial.com rediffmail.con',
  'seznam.cz': 'seznma.cz seznan.cz',
  'interia.pl': 'intera.pl inetria.pl',
  'terra.com.br': 'terra.con.br tera.com.brr terrra.com.br',
};

/** Real names that must be left alone: neighbours of targets, other mail services, companies of every kind. */
const real = `
  gmx.net mac.com list.ru email.com proton.me hey.com wp.pl 163.com ymail.com yahoo.com.br mail.com gmx.de gmx.com gmx.at aol.de
  126.com qq.com me.com inbox.com bk.ru inbox.ru mail.ru ya.ru yandex.by yandex.kz live.fr live.de live.com.au live.ca hotmail.gr
  hotmail.se hotmail.no hotmail.com.tr hotmail.ch hotmail.ca yahoo.se yahoo.gr yahoo.ie yahoo.com.tr yahoo.com.tw yahoo.com.hk
  yahoo.co.kr yahoo.co.nz yahoo.co.th yahoo.pl yahoo.no yahoo.in outlook.in outlook.pt outlook.at outlook.ie outlook.kr outlook.co.id
  mailbox.org posteo.de tutanota.de tuta.io pm.me fastmail.fm hushmail.me runbox.com zoho.eu zohomail.com startmail.com duck.com
  y7mail.com earthling.net coxmail.com gotmail.com tmail.com vmail.com bmail.net mail.de mail.dk mail.ee email.cz email.de freemail.de
  google.com googlegroups.com apple.com microsoft.com amazon.com amazon.de facebook.com github.com gitlab.com stripe.com netflix.com
  twitter.com x.com linkedin.com paypal.com ebay.com ebay.de adobe.com oracle.com ibm.com intel.com nvidia.com amd.com dell.com hp.com
  cloud.com ucloud.com ocloud.com soundcloud.com cloudflare.com icould.org grail.com goal.com gain.com gmac.com grain.com snail.com
  mall.com small.com trail.com gala.com gap.com gm.com gsk.com ge.com hotel.com hotels.com hotmart.com hotjar.com hotmilk.com
  outbrain.com lookout.com outback.com outlet.com outdoor.com overlook.com onlook.com kahoot.com wahoo.com tahoe.com yoohoo.com
  yale.edu yelp.com yammer.com love.com life.com line.com like.com olive.com five.com alive.com lives.com lite.com give.com
  ao.com al.com alo.com apl.com all.com sol.com aon.com axa.com aoc.com msc.com man.com msi.com max.com mit.edu msu.edu mns.com
  att.com comcast.com verizon.com cox.com charter.com charger.net chapter.net orange.com orange.be orange.es orange.pl range.fr
  free.org freenet.org fred.fr web.com webb.de weber.de wed.de gmbh.de gmc.de libro.it libri.it libera.it liberty.it alice.com slice.it
  malice.it virgin.com tin.com tim.it planet.com plant.nl plane.nl telnet.be telekom.de skynet.com skyscanner.com skyy.com ski.com sly.com
  never.com navy.mil saver.com waver.com naver.jp xaver.com saverr.net river.com zoom.us zoo.com zara.com zoho.in tuya.com tata.com
  sina.cn sino.com siena.edu nina.com dina.com juno.ca junior.com uno.com roger.com rodgers.com rogers.ca shaw.com shawn.ca saw.ca
  serra.com.br tera.com.br globo.com globo.com.br uol.com bol.com ig.com nubank.com.br inter.pl interia.com onet.eu one.pl net.pl
  internet.com tinternet.com online.net online.de network.com networld.com world.com earth.com earthlink.com bluetooth.com
  proton.ch protein.me photon.me proto.me rocket.com rocketlab.com mailgun.com mailchimp.com sendgrid.net mailjet.com hubspot.com
  harvard.edu stanford.edu ox.ac.uk cam.ac.uk gov.uk bbc.co.uk guardian.co.uk lemonde.fr spiegel.de bund.de europa.eu un.org who.int
  hket.com mybet.com ctmail.com ekolay.net ymobile.ne.jp esky.com mlive.com yazio.com sky.com.br ma.il.ru gmx.company.com
  example.com example.org test.com company.io startup.ai acme.co gmail.company.com mail.company.com smith.family jones.me
`
  .split(/\s+/)
  .filter((name) => name !== '');

describe('the suggester of mistyped domains', () => {
  for (const [target, names] of Object.entries(typos)) {
    for (const name of names.split(/\s+/)) {
      it(`the suggester of mistyped domains reads ${name} as ${target}`, () => assert.equal(suggest(name), target));
    }
  }

  for (const name of real) {
    it(`the suggester of mistyped domains leaves ${name} alone`, () => assert.equal(suggest(name), null));
  }

  it('the suggester of mistyped domains is tried on at least 150 slips and 150 real names, each once', () => {
    const slips = Object.values(typos).flatMap((names) => names.split(/\s+/));
    assert.ok(slips.length >= 150 && new Set(slips).size === slips.length);
    assert.ok(real.length >= 150 && new Set(real).size === real.length);
  });

  it('the suggester of mistyped domains leaves a word alone under every suffix, and reads the slips around it', () => {
    for (const name of ['love.fr', 'life.nl', 'hello.at', 'nail.bg']) assert.equal(suggest(name), null, name);
    for (const name of ['luve.fr', 'livw.nl', 'chelo.at', 'msil.bg']) assert.notEqual(suggest(name), null, name);
  });

  it('the suggester of mistyped domains reads slips of the mailbox domains of every country, each by the rule of its kind', () => {
    const slips: Record<string, string> = {
      'hotmail.se': 'hotmial.se hotmai.se hotmsil.se hhotmail.se',
      'yahoo.com.ph': 'yaho.com.ph yahooo.com.ph yahoo.con.ph yahoo.comph',
      'outlook.pt': 'outlok.pt oultook.pt outloook.pt',
      'live.dk': 'lvie.dk livee.dk livr.dk',
      'sapo.pt': 'spao.pt sapoo.pt sspo.pt',
      'mynet.com': 'mynt.com mynett.com mynet.con',
      'virgilio.it': 'virgillio.it virgilo.it virgiloi.it',
      'netvigator.com': 'netvigtor.com netvigatro.com',
      'walla.co.il': 'wala.co.il wallla.co.il',
      'telkomsa.net': 'telkomsa.nte telkmsa.net',
      'abv.bg': 'avb.bg abvv.bg',
    };
    for (const [meant, typed] of Object.entries(slips)) {
      for (const name of typed.split(' ')) assert.equal(suggest(name), meant, name);
    }
  });

  for (const [what, cases] of Object.entries({
    'a label too many': 'gmx.de.de=gmx.de gmx.de.com=gmx.de mweb.co.za.za=mweb.co.za yahoo.com.phh=yahoo.com.ph',
    'www in front': 'www.gmx.de=gmx.de wwwlibero.it=libero.it',
    'a dot missing': 'gmxde=gmx.de uolcom.br=uol.com.br xtraco.nz=xtra.co.nz yahoocouk=yahoo.co.uk gmailcom=gmail.com',
    'a dot moved or doubled': 'naverc.om=naver.com web..de=web.de .gmx.de=gmx.de walla.co..il=walla.co.il',
    'Cyrillic and Greek letters':
      'gmаil.com=gmail.com уаhоо.com=yahoo.com gmx.de=null ωeb.de=web.de hotmaıl.com=hotmail.com',
    'letters that look like no others': 'гмаил.com=null bücher.de=null gmäil.com=null',
    'keys beside on QWERTZ': 'zahoo.com=yahoo.com freenez.de=freenet.de posteo.de=null yeznam.cz=seznam.cz',
    'keys beside on AZERTY': 'lailbox.org=mailbox.org orangz.fr=orange.fr qympatico.ca=sympatico.ca',
    'a digit in a short name': 'wp0.pl=wp.pl on4.lt=one.lt 163e.com=163.com 1663.com=null',
    'a key too many in a short name': 'ghmx.de=gmx.de sfdr.fr=sfr.fr bmx.de=null',
  })) {
    it(`the suggester of mistyped domains reads a known name with ${what}`, () => {
      for (const [typed = '', meant] of cases.split(' ').map((each) => each.split('='))) {
        assert.equal(suggest(parseDomain(typed)?.ascii ?? typed) ?? 'null', meant, typed);
      }
    });
  }

  it('the suggester of mistyped domains is certain of brands and of names that differ in their dots and labels alone', () => {
    const certain = ['gmial.com', 'www.gmx.de', 'uolcom.br'].map((name) => suggest(name, true));
    assert.deepEqual(certain, ['gmail.com', 'gmx.de', 'uol.com.br']);
    assert.equal(suggest('freenez.de', true), null);
  });

  for (const [typed, meant] of [
    ['gnaol.com', 'gmail.com'],
    ['gmal.com', 'gmail.com'],
    ['gnal.com', null],
    ['gml.com', null],
    ['gal.com', null],
  ] as const) {
    it(`the suggester of mistyped domains allows two slips only in a label of at least five letters: ${typed}`, () => {
      assert.equal(suggesterOf([{ domain: 'gmail.com', weight: 1, brand: true }])(typed), meant);
    });
  }

  it('the suggester of mistyped domains prefers the more popular of two equally close targets', () => {
    const targets = [
      { domain: 'abcdefgh.com', weight: 1 },
      { domain: 'abcdefgx.com', weight: 2 },
    ];
    const of = suggesterOf(targets);
    assert.equal(of('abcdefg.com'), 'abcdefgx.com');
  });

  it('the suggester of mistyped domains prefers a neighbouring key to a more popular target', () => {
    const targets = [
      { domain: 'abcdefgh.com', weight: 1 },
      { domain: 'abcdefgq.com', weight: 9 },
    ];
    const of = suggesterOf(targets);
    assert.equal(of('abcdefgj.com'), 'abcdefgh.com');
  });

  for (const [first, suffix, both] of [
    ['fmail.com', 'gmail.con', 'fmail.con'],
    ['fmail.com', 'gmail.co', 'fmail.co'],
    ['uahoo.com', 'yahoo.cmo', 'uahoo.cmo'],
  ] as const) {
    it(`the suggester of mistyped domains corrects a wrong first letter (${first}) or a wrong suffix (${suffix}), but not both together (${both})`, () => {
      assert.notEqual(suggest(first), null);
      assert.equal(suggest(suffix), suggest(first));
      assert.equal(suggest(both), null);
    });
  }

  it('the suggester of mistyped domains never throws, and answers a target or nothing', () => {
    const known = new Set(allTargets);
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.domain(),
      fc.tuple(fc.constantFrom(...known), fc.nat(12), fc.string({ maxLength: 2 })).map(([name, at, piece]) => {
        return name.slice(0, at) + piece + name.slice(at + 1);
      }),
    );
    fc.assert(
      fc.property(text, (name) => {
        const answer = suggest(name);
        assert.ok(answer === null || (known.has(answer) && answer !== name));
      }),
      { numRuns: 3000 },
    );
  });

  it('the suggester of mistyped domains answers null for huge texts without comparing them', () => {
    for (const unit of ['a', '.', 'gmail.', 'gmail']) assert.equal(suggest(unit.repeat(1_000_000)), null);
  });

  it('the suggester of mistyped domains keeps answering the same after a flood of made-up suffixes', () => {
    for (let n = 0; n < 3000; n++) suggest(`gmail.c${n.toString(36)}`);
    assert.equal(suggest('gmail.con'), 'gmail.com');
  });
});

describe('data/typo-targets.json', () => {
  const known = new Set(allTargets);

  it('data/typo-targets.json holds valid domains, no target twice', () => {
    const groups = Object.values(data.national).flat();
    const named = [...data.targets.map(({ domain }) => domain), ...groups];
    assert.equal(new Set(named).size, named.length);
    const invalid = [...known, ...data.never].filter((name) => parseDomain(name)?.ascii !== name);
    assert.deepEqual(invalid, []);
  });

  it('data/typo-targets.json corrects to targets only, and no target', () => {
    for (const [name, target] of Object.entries(data.corrections)) {
      assert.ok(known.has(target), target);
      assert.ok(!known.has(name), name);
    }
    for (const name of known) assert.equal(suggest(name), null);
  });

  it('data/typo-targets.json lists as never only what would be corrected otherwise', () => {
    const without = createSuggester({ ...data, never: [], neverLabels: [] });
    assert.deepEqual(
      data.never.filter((name) => without(name) === null),
      [],
    );
    const suffixes = [...new Set(allTargets.map((domain) => domain.slice(domain.indexOf('.') + 1)))];
    const isNeeded = (label: string): boolean => suffixes.some((suffix) => without(`${label}.${suffix}`) !== null);
    assert.deepEqual(
      data.neverLabels.filter((label) => !isNeeded(label)),
      [],
    );
  });
});
