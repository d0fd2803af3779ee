import type { Dmarc } from '../../mail/dmarc.ts';
import type { Spf } from '../../mail/spf.ts';

/** The network's answers about a domain of the demonstration. */
export interface DemoDomain {
  readonly name: string;
  /** Mail hosts, best first; none receives no mail. */
  readonly mx: readonly string[];
  readonly spf: Spf;
  readonly dmarc: Dmarc;
  /** The day of registration, or how many days ago it was. */
  readonly registered: string | number;
  /** Its relative frequency. */
  readonly weight: number;
}

const google = ['aspmx.l.google.com', 'alt1.aspmx.l.google.com'];
const microsoft = (name: string): string[] => [`${name.replace('.', '-')}.mail.protection.outlook.com`];
const own = (name: string): string[] => [`mail.${name}`];

type Row = readonly [
  name: string,
  mx: readonly string[],
  spf: Spf,
  dmarc: Dmarc,
  registered: string | number,
  weight: number,
];

const rows: readonly Row[] = [
  ['gmail.com', ['gmail-smtp-in.l.google.com'], 'neutral', 'none', '1995-08-13', 340],
  ['outlook.com', ['outlook-com.olc.protection.outlook.com'], 'strict', 'none', '1994-08-18', 90],
  ['hotmail.com', ['hotmail-com.olc.protection.outlook.com'], 'strict', 'none', '1996-03-27', 70],
  ['yahoo.com', ['mta5.am0.yahoodns.net'], 'neutral', 'reject', '1995-01-18', 60],
  ['icloud.com', ['mx01.mail.icloud.com'], 'relaxed', 'quarantine', '1999-01-15', 60],
  ['gmx.de', ['mx00.emig.gmx.net'], 'strict', 'none', '1997-06-04', 40],
  ['web.de', ['mx-ha02.web.de'], 'strict', 'none', '1996-10-01', 30],
  ['proton.me', ['mail.protonmail.ch'], 'relaxed', 'quarantine', '2008-05-20', 18],
  ['orange.fr', ['smtp-in.orange.fr'], 'neutral', 'none', '1996-07-31', 16],
  ['northwind.example', google, 'relaxed', 'quarantine', '2011-04-02', 26],
  ['contoso.example', microsoft('contoso.example'), 'strict', 'reject', '2004-09-14', 24],
  ['fabrikam.example', microsoft('fabrikam.example'), 'strict', 'none', '2009-02-20', 16],
  ['tailspin.example', google, 'relaxed', 'none', '2016-11-08', 12],
  ['adatum.example', own('adatum.example'), 'strict', 'reject', '2002-06-30', 9],
  ['litware.example', ['mx.zoho.eu', 'mx2.zoho.eu'], 'relaxed', 'missing', '2019-03-12', 8],
  ['bluebottle.example', google, 'missing', 'missing', 47, 6],
  ['quickstart.example', own('quickstart.example'), 'missing', 'missing', 6, 5],
  ['parked.example', [], 'missing', 'missing', '2014-01-09', 6],
  ['mailinator.com', ['mail.mailinator.com'], 'missing', 'missing', '2003-06-19', 26],
  ['guerrillamail.com', ['mail.guerrillamail.com'], 'neutral', 'missing', '2006-04-18', 16],
  ['yopmail.com', ['smtp.yopmail.com'], 'strict', 'none', '2004-03-15', 16],
  ['10minutemail.com', ['mx.10minutemail.com'], 'missing', 'missing', '2006-05-01', 10],
  ['sharklasers.com', ['mail.guerrillamail.com'], 'neutral', 'missing', '2009-08-11', 8],
  ['temp-mail.org', ['mx.temp-mail.org'], 'relaxed', 'none', '2011-02-03', 8],
  ['privaterelay.appleid.com', ['smtp1.privaterelay.appleid.com'], 'relaxed', 'quarantine', '2005-11-28', 16],
  ['duck.com', ['inbound.duck.com'], 'strict', 'quarantine', '1995-08-04', 6],
  ['mozmail.com', ['inbound-smtp.us-west-2.amazonaws.com'], 'relaxed', 'reject', '2021-05-07', 5],
  ['gmial.com', own('gmial.com'), 'missing', 'missing', '2001-03-11', 5],
  ['hotmial.com', own('hotmial.com'), 'missing', 'missing', '2000-07-22', 3],
  // Of attackers only: no list knows them.
  ['blorpbox.example', ['mx.blorpbox.example'], 'missing', 'missing', 40, 0],
  ['zuvopost.example', ['mx.blorpbox.example'], 'missing', 'missing', 40, 0],
  ['kwexinbox.example', ['mx.blorpbox.example'], 'missing', 'missing', 41, 0],
  ['trenimail.example', ['mx.blorpbox.example'], 'missing', 'missing', 41, 0],
  // Of the attack that a user watches. They are too old for the rule against very young domains, so the user decides who gets in.
  ['grimbox.example', ['mx.grimbox.example'], 'missing', 'missing', 38, 0],
  ['vexopost.example', ['mx.grimbox.example'], 'missing', 'missing', 38, 0],
  ['nulkinbox.example', ['mx.grimbox.example'], 'missing', 'missing', 39, 0],
  ['parvomail.example', ['mx.grimbox.example'], 'missing', 'missing', 39, 0],
  ['jane.duckdns.org', [], 'missing', 'missing', '2013-04-12', 3],
];

/** The domains that people of the demonstration write from. */
export const demoDomains: readonly DemoDomain[] = rows.map(([name, mx, spf, dmarc, registered, weight]) => ({
  name,
  mx,
  spf,
  dmarc,
  registered,
  weight,
}));
