import { curl } from '../../snippets/curl.ts';
import { targetOf } from '../../snippets/target.ts';
import { type Html, html, none } from './html.ts';
import type { Call, Parameter } from './open-api.ts';

/** The page's script replaces it by the origin that the reader uses. */
export const exampleUrl = 'http://127.0.0.1:8080';

const service = { baseUrl: exampleUrl, key: null };

/** The example of an operation as curl; the page's script offers the other languages from the same description. */
export function callSample({ method, path, operation }: Call): Html {
  const body = operation.requestBody?.content?.['application/json'].example;
  const values = examplesOf(operation.parameters, 'path');
  const query = examplesOf(operation.parameters, 'query');
  const call = { method, target: targetOf(path, values, query), ...(body === undefined ? {} : { body }) };
  const described = JSON.stringify({ method, path, values, query, body });
  return html`<div class="sample" data-call="${described}">${codeBlock(curl.call(service, call), `${operation.summary}: a call`)}</div>`;
}

/** The code of a sign-up form, for the operation that decides. */
export function decisionSample({ operation }: Call): Html {
  if (operation.operationId !== 'decide') return none;
  const gateId = examplesOf(operation.parameters, 'path').gate_id ?? '';
  const decision = { gateId, email: 'jane@example.com', ip: '203.0.113.7' };
  const code = curl.decide(service, { ...decision, onFailure: 'allow', onChallenge: 'confirm' });
  return html`<h4>In a sign-up form</h4>
<div class="sample" data-decision="${JSON.stringify(decision)}">${codeBlock(code, 'A sign-up form that decides')}</div>`;
}

/** Scrolls on its own, so it must be reachable by keyboard. */
export function codeBlock(text: string, label: string): Html {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${label}"><code>${text}</code></pre></div>`;
}

function examplesOf(parameters: readonly Parameter[], place: Parameter['in']): Record<string, string> {
  return Object.fromEntries(
    parameters.flatMap(({ name, in: where, example }) =>
      where === place && example !== undefined ? [[name, example]] : [],
    ),
  );
}
