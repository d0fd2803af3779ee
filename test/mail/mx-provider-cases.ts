import type { MxProviderRow } from '../../src/mail/mx-providers.ts';

/** A domain's MX hosts, best first, and the slugs of the providers behind them. */
export interface MxProviderCase {
  readonly name: string;
  readonly domain: string;
  readonly hosts: readonly string[];
  readonly expected: readonly string[];
}

function provider(slug: string, type: string, grade: string, mx: readonly string[]): MxProviderRow {
  return { slug, name: slug, type, grade, mx };
}

/** A small table of real providers, in the shape of the curated one. */
export const providerEntries: readonly MxProviderRow[] = [
  {
    ...provider('google', 'mailbox', 'professional', ['google.com', 'googlemail.com', 'smtp.goog']),
    own: ['gmail.com'],
  },
  provider('microsoft', 'mailbox', 'enterprise', [
    'mail.protection.outlook.com',
    'olc.protection.outlook.com',
    'mx.microsoft',
  ]),
  provider('zoho', 'mailbox', 'professional', ['zoho.com', 'zoho.eu']),
  provider('proofpoint', 'security_gateway', 'enterprise', ['pphosted.com', 'ppe-hosted.com']),
  provider('mimecast', 'security_gateway', 'enterprise', ['mimecast.com']),
  provider('cloudflare', 'forwarding', 'professional', ['mx.cloudflare.net']),
  provider('amazon-workmail', 'mailbox', 'professional', ['awsapps.com']),
  provider('amazon-ses', 'email_api', 'professional', ['amazonaws.com']),
  provider('mailgun', 'email_api', 'professional', ['mailgun.org']),
  provider('example-host', 'hosting', 'standard', ['hosting.example.net', 'mail.example.org']),
  provider('example-shield', 'security_gateway', 'standard', ['shield.hosting.example.net']),
];

/** Hosts and providers; the table does not contain `example.*` names. */
export const mxProviderCases: readonly MxProviderCase[] = [
  { name: 'a host below a suffix', domain: 'shop.example', hosts: ['aspmx.l.google.com'], expected: ['google'] },
  { name: 'the suffix itself', domain: 'shop.example', hosts: ['smtp.goog'], expected: ['google'] },
  {
    name: 'several hosts of one provider',
    domain: 'shop.example',
    hosts: ['aspmx.l.google.com', 'alt1.aspmx.l.google.com', 'aspmx2.googlemail.com'],
    expected: ['google'],
  },
  {
    name: 'a tenant host',
    domain: 'shop.example',
    hosts: ['shop-example.mail.protection.outlook.com'],
    expected: ['microsoft'],
  },
  {
    name: 'a newer suffix of the same provider',
    domain: 'shop.example',
    hosts: ['shop-example.a-v1.mx.microsoft'],
    expected: ['microsoft'],
  },
  { name: 'no suffix without a label boundary', domain: 'shop.example', hosts: ['mx.notgoogle.com'], expected: [] },
  { name: 'no suffix inside a name', domain: 'shop.example', hosts: ['google.com.shop.test'], expected: [] },
  { name: 'no parent of a suffix', domain: 'shop.example', hosts: ['mx.outlook.com'], expected: [] },
  {
    name: 'the longest suffix wins',
    domain: 'shop.example',
    hosts: ['mx1.shield.hosting.example.net'],
    expected: ['example-shield'],
  },
  {
    name: 'a sibling of the longest suffix',
    domain: 'shop.example',
    hosts: ['mx1.hosting.example.net'],
    expected: ['example-host'],
  },
  {
    name: 'a gateway before a mailbox',
    domain: 'shop.example',
    hosts: ['mxa-00.pphosted.com', 'aspmx.l.google.com'],
    expected: ['proofpoint', 'google'],
  },
  {
    name: 'a mailbox before a gateway',
    domain: 'shop.example',
    hosts: ['aspmx.l.google.com', 'mxa-00.pphosted.com'],
    expected: ['google', 'proofpoint'],
  },
  {
    name: 'the best priority of each decides',
    domain: 'shop.example',
    hosts: ['mx.zoho.com', 'aspmx.l.google.com', 'mx2.zoho.com'],
    expected: ['zoho', 'google'],
  },
  {
    name: 'an unknown host between known ones',
    domain: 'shop.example',
    hosts: ['mx.zoho.eu', 'mx.other.test', 'eu-smtp-inbound-1.mimecast.com'],
    expected: ['zoho', 'mimecast'],
  },
  { name: 'its own host', domain: 'shop.example', hosts: ['mx.shop.example'], expected: [] },
  { name: 'the domain itself as the host', domain: 'shop.example', hosts: ['shop.example'], expected: [] },
  { name: 'no records', domain: 'shop.example', hosts: [], expected: [] },
  { name: 'an unknown third party', domain: 'shop.example', hosts: ['mx.unknown.test'], expected: [] },
  {
    name: 'a provider under its own domain is not a third party',
    domain: 'google.com',
    hosts: ['smtp.google.com'],
    expected: [],
  },
  {
    name: 'a provider whose domain is its own host is not a third party',
    domain: 'zoho.com',
    hosts: ['zoho.com'],
    expected: [],
  },
  {
    name: 'a subdomain of a provider is not a third party',
    domain: 'corp.google.com',
    hosts: ['aspmx.l.google.com'],
    expected: [],
  },
  {
    name: 'a registrable domain two labels under the suffix',
    domain: 'mail.shop.co.uk',
    hosts: ['mx.shop.co.uk', 'route1.mx.cloudflare.net'],
    expected: ['cloudflare'],
  },
  {
    name: 'own host and a third party as a backup',
    domain: 'shop.example',
    hosts: ['mx.shop.example', 'mxa.mailgun.org'],
    expected: ['mailgun'],
  },
  {
    name: 'two services of one company',
    domain: 'shop.example',
    hosts: ['inbound-smtp.us-east-1.amazonaws.com', 'shop.awsapps.com'],
    expected: ['amazon-ses', 'amazon-workmail'],
  },
  {
    name: 'a tenant of a shared suffix is not its neighbour',
    domain: 'me.github.io',
    hosts: ['you.github.io', 'mx.zoho.com'],
    expected: ['zoho'],
  },
  {
    name: 'a public suffix keeps its own hosts',
    domain: 'co.uk',
    hosts: ['mx.co.uk', 'mx.zoho.com'],
    expected: ['zoho'],
  },
  {
    name: 'a mail service is not a third party for its own domains',
    domain: 'gmail.com',
    hosts: ['alt1.gmail-smtp-in.l.google.com'],
    expected: [],
  },
  {
    name: 'a mail service is a third party for other domains',
    domain: 'shop.example',
    hosts: ['aspmx.l.google.com'],
    expected: ['google'],
  },
  {
    name: 'a suffix of another country is a different suffix',
    domain: 'shop.example',
    hosts: ['mx.zoho.in'],
    expected: [],
  },
];
