import { ShownOnce } from '../../ui/dialog/shown-once.tsx';

const verify = [
  "import { verifyWebhook } from '@signalpost/client';",
  '',
  'const event = await verifyWebhook({',
  '  body, // as it came, not parsed',
  '  headers,',
  '  secret: process.env.SIGNALPOST_WEBHOOK_SECRET,',
  '});',
].join('\n');

/** The secret of a webhook, this one time. */
export function SecretOnce({ title, secret, onClose }: { title: string; secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={title}
      name="secret"
      secret={secret}
      why="Every delivery is signed with it: whoever does not check the signature believes anybody."
      use={{
        text: 'The receiver checks a delivery with its body as it came, before anything else:',
        label: 'Copy the code',
        copied: verify,
      }}
      onClose={onClose}
    />
  );
}
