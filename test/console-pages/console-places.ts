import type { ShownConsole } from './shown-console.ts';

/** Every page and tab of the console on the data of the demo, below its environment; `states` are the open dialogs. */
export interface ConsolePlaces {
  readonly pages: readonly string[];
  readonly states: readonly string[];
}

/** Creates an object of each kind that has a page, and returns the places. */
export async function consolePlaces(shown: Pick<ShownConsole, 'call'>): Promise<ConsolePlaces> {
  const idOf = async (method: string, path: string, body?: object): Promise<string> => {
    const { data } = await shown.call<{ data: { id: string } | { id: string }[] }>(method, path, body);
    return (Array.isArray(data) ? data[0]?.id : data.id) ?? '';
  };
  const decisionId = await idOf('GET', '/v1/decisions?action=block');
  const { data: gates } = await shown.call<{ data: { id: string; name: string }[] }>('GET', '/v1/gates');
  const gateId = gates.find(({ name }) => name === 'Sign-up')?.id;
  const webhook = { url: 'https://receiver.example/a/rather/long/path/for/events', events: ['gate.decision'] };
  const hookId = await idOf('POST', '/v1/webhooks', webhook);
  const listId = await idOf('POST', '/v1/lists', { name: 'Office networks', kind: 'ip' });
  await shown.call('POST', `/v1/lists/${listId}/entries`, { entries: [{ value: '2001:db8::/32', note: 'A note' }] });
  return {
    pages: [
      'overview',
      'lookup?q=joe@mailinator.com',
      'gates',
      `gates/${gateId}`,
      ...['log', 'statistics', 'history', 'use-it'].map((tab) => `gates/${gateId}/${tab}`),
      'log',
      `log/${decisionId}`,
      'log/person/joe%40mailinator.com',
      'outcomes',
      'waves',
      `waves/${await idOf('GET', '/v1/waves')}`,
      'blocklist',
      'custom-lists',
      `custom-lists/${listId}`,
      'keys',
      'webhooks',
      `webhooks/${hookId}`,
      'lists',
      'settings',
    ],
    states: ['lookup', 'gates?new', 'blocklist?add', 'custom-lists?new', 'keys?new', 'webhooks?new'],
  };
}
