import { useState } from 'react';
import type { Signals } from '../../api/lookup.ts';
import { Card } from '../../ui/card.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Copy } from '../../ui/copy.tsx';

const forms = ['JSON', 'curl', 'SDK'] as const;

/** The result as JSON, and how to request it from code. */
export function HowToCall({ subject, signals }: { subject: string; signals: Signals }) {
  const [form, setForm] = useState<(typeof forms)[number]>('JSON');
  const texts = { JSON: JSON.stringify(signals, null, 2), curl: curlFor(subject), SDK: sdkFor(subject) };
  return (
    <Card title="For developers" aside={<Choice label="Form" choices={forms} value={form} onChange={setForm} />}>
      <Copy label={`Copy the ${form}`} text={texts[form]} />
    </Card>
  );
}

const kindOf = (subject: string) => (subject.includes('@') ? 'email' : 'domain');

function curlFor(subject: string): string {
  const path = `${kindOf(subject)}/${encodeURIComponent(subject)}`;
  return `curl -H "Authorization: Bearer $SIGNALPOST_KEY" \\\n  "${location.origin}/${path}"`;
}

function sdkFor(subject: string): string {
  return [
    "import { Signalpost } from '@signalpost/client';",
    '',
    'const client = new Signalpost({',
    '  apiKey: process.env.SIGNALPOST_KEY,',
    `  baseUrl: '${location.origin}',`,
    '});',
    `const signals = await client.${kindOf(subject)}(${JSON.stringify(subject)});`,
  ].join('\n');
}
