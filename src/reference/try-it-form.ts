import { type Html, html, none } from './html.ts';
import type { Call, Parameter } from './open-api.ts';

/** A form that sends the request; hidden until the page's script shows it. */
export function tryItForm({ method, path, operation }: Call): Html {
  const id = operation.operationId;
  const body = operation.requestBody?.content?.['application/json'].example;
  return html`<form class="try" hidden data-method="${method}" data-path="${path}" aria-label="Try: ${operation.summary}">
<details><summary>Try it</summary>
${method === 'GET' ? none : html`<p class="warning">This is a real call with the key above, and it may change data.</p>`}
${operation.parameters.map((parameter) => parameterInput(`${id}-${parameter.name}`, parameter))}
${
  operation.requestBody === undefined
    ? none
    : html`<label for="${id}-body">Body</label><textarea id="${id}-body" name="body" rows="6" spellcheck="false">${JSON.stringify(body ?? {}, null, 2)}</textarea>`
}
<button type="submit">Send</button>
<pre class="outcome" tabindex="0" role="status" hidden></pre>
</details></form>`;
}

function parameterInput(id: string, { name, required, in: place, schema, example = '' }: Parameter): Html {
  const common = html`id="${id}" name="${name}" data-in="${place}"`;
  if (schema.type === 'boolean') {
    const isOn = schema.default === true;
    return html`<label class="switch" for="${id}"><input ${common} type="checkbox" role="switch" data-default="${String(isOn)}"${isOn ? html` checked` : none}> ${name}</label>`;
  }
  const label = html`<label for="${id}">${name}</label>`;
  if (schema.enum !== undefined) {
    const options = schema.enum.map(
      (value) => html`<option${value === example ? html` selected` : none}>${String(value)}</option>`,
    );
    return html`${label}<select ${common}>${required ? none : html`<option value="">any</option>`}${options}</select>`;
  }
  return html`${label}<input ${common} value="${example}" autocomplete="off" spellcheck="false"${required ? html` required` : none}>`;
}
