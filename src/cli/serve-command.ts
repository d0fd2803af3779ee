import type { Started } from '../main.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';

/** `signalpost serve`. */
export const serveCommand: Command = {
  name: 'serve',
  usage: '',
  summary: 'Run the service; the first start creates an account and a key per environment',
  options: {},
  positionals: [0, 0],
  async run({ config, json }) {
    const { serve } = await import('../main.ts');
    await serve(config, (started) => {
      process.stdout.write(json ? `${JSON.stringify(document(started))}\n` : greeting(started));
    });
    return null;
  },
};

function document({ address, first }: Started): object {
  return { address, account: first?.account.id ?? null, keys: first?.keys ?? [] };
}

function greeting({ address, isEveryAddress, first }: Started): string {
  const everywhere = isEveryAddress ? ', on every address of this machine' : '';
  const lines = [`Signalpost ${version} listens on ${address}${everywhere}`];
  if (first !== null) {
    const [production] = first.keys;
    lines.push(
      '',
      `First start: account ${first.account.id}, one key per environment. They are shown only now:`,
      ...first.keys.map(({ environment, key }) => `  ${environment.padEnd(12)} ${key}`),
      '',
      'Try it:',
      `  curl -H "Authorization: Bearer ${production?.key}" ${address}/status`,
      '',
    );
  }
  return `${lines.join('\n')}\n`;
}
