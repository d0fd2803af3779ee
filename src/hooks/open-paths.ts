import type { OpenPath } from '../http/open-route.ts';

const checkText = 'This is a hook of Signalpost: an auth server sends its sign-ups here with POST.\n';

/** The call of an auth server, and one sentence for an operator who opens the URL: the same for every id. */
export function hookPaths(answer: OpenPath['answer']): OpenPath[] {
  return [
    { method: 'POST', path: '/hooks/{hook_id}', operationId: 'callHook', answer },
    {
      method: 'GET',
      path: '/hooks/{hook_id}',
      operationId: 'checkHook',
      answer: () => ({ status: 200, type: 'text/plain; charset=utf-8', text: checkText }),
    },
  ];
}
