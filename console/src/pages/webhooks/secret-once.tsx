import { ShownOnce } from '../../ui/dialog/shown-once.tsx';

const verify = [
  "import { verifyWebhook } from '@signalpost/client';",
  '',
  'const event = await verifyWebhook({',
  '  body, // the raw body, not parsed',
  '  headers,',
  '  secret: process.env.SIGNALPOST_WEBHOOK_SECRET,',
  '});',
].join('\n');

/** The secret of a webhook, shown once. */
export function SecretOnce({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={title}
      name="secret"
      secret={secret}
      why="Every delivery is signed with it. Verify the signature, or anyone can send you fake events."
      use={{
        text: 'Verify each delivery with its raw body before you use it:',
        label: 'Copy the code',
        copied: verify,
      }}
      onClose={onClose}
    />
  );
}
