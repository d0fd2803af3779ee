// Lets a reader of the reference make the calls. The key is read from its field when a call is made and kept nowhere else.
const keyForm = document.getElementById('key-form');
const keyField = document.getElementById('key');
const base = new URL('.', location.href);

document.getElementById('origin').textContent = base.href.replace(/\/$/, '');
keyForm.hidden = false;
// On a phone the list of endpoints would fill the screen before anything was said.
if (matchMedia('(max-width: 48rem)').matches) document.querySelector('nav details').open = false;
keyForm.addEventListener('submit', (event) => event.preventDefault());

for (const form of document.querySelectorAll('form.try')) {
  form.hidden = false;
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    send(form);
  });
}

async function send(form) {
  const button = form.querySelector('button');
  const outcome = form.querySelector('.outcome');
  outcome.hidden = false;
  if (keyField.value.trim() === '') {
    outcome.textContent = 'Put your key into the field at the top of the page first.';
    keyField.focus();
    return;
  }
  button.disabled = true;
  outcome.textContent = 'Waiting…';
  const startedMs = performance.now();
  try {
    const answer = await fetch(target(form), {
      method: form.dataset.method,
      headers: headers(form),
      body: form.elements.body?.value,
      cache: 'no-store',
      credentials: 'omit',
    });
    const text = await answer.text();
    const tookMs = Math.round(performance.now() - startedMs);
    outcome.textContent = `${answer.status} ${answer.statusText}, ${tookMs} ms, request ${answer.headers.get('x-request-id')}\n\n${readable(text)}`;
  } catch (error) {
    outcome.textContent = `The call did not come through: ${error.message}`;
  } finally {
    button.disabled = false;
  }
}

function target(form) {
  const inputs = [...form.querySelectorAll('[data-in]')];
  const entered = (name) => inputs.find((input) => input.name === name).value;
  const path = form.dataset.path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(entered(name)));
  const query = new URLSearchParams(
    inputs
      .filter((input) => input.dataset.in === 'query' && input.value !== '')
      .map(({ name, value }) => [name, value]),
  );
  return new URL(path.slice(1) + (query.size === 0 ? '' : `?${query}`), base);
}

function headers(form) {
  const sent = { authorization: `Bearer ${keyField.value.trim()}` };
  return form.elements.body === undefined ? sent : { ...sent, 'content-type': 'application/json' };
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    // Not JSON: an empty answer, or what a proxy in front says.
    return text;
  }
}
