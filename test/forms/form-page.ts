import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A page with a sign-up form on its own origin, as a customer's. */
export interface FormPage extends AsyncDisposable {
  readonly origin: string;
  /** The bodies of submitted forms. */
  readonly submitted: string[];
}

/** What the page contains. */
export interface FormPageOptions {
  /** The script element; read with each request, because a key is made for the page's origin. */
  head(): string;
  /** The source of scripts and hints, for the policy. */
  readonly service: string;
  readonly html?: string;
  readonly form?: string;
}

const usualForm = `<form data-signalpost method="post" action="/sign-up">
  <label>Email <input type="email" name="email" autocomplete="off"></label>
  <label>Name <input name="name"></label>
  <button>Sign up</button>
</form>`;

/** Serves the page with a strict policy: nothing inline, no other origin, no text as script. */
export async function serveForm(options: FormPageOptions): Promise<FormPage> {
  const { head, service, html = '<html lang="en">', form = usualForm } = options;
  const submitted: string[] = [];
  const policy = `default-src 'none'; script-src ${service}; connect-src ${service}; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'text/html; charset=utf-8').setHeader('content-security-policy', policy);
    if (request.method === 'POST') {
      let body = '';
      for await (const chunk of request) body += chunk;
      submitted.push(body);
      response.end('<!doctype html><title>Welcome</title>');
    } else
      response.end(`<!doctype html>${html}<head><title>Sign up</title>${head()}</head><body>${form}</body></html>`);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    submitted,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
