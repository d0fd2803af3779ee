import {
  type ApiCall,
  actionsComment,
  decisionCall,
  failureComment,
  type Language,
  type Service,
  timeoutSeconds,
} from './snippet.ts';

/** Commands for a shell. */
export const curl: Language = {
  name: 'curl',
  call: (service, call) => `curl ${parts(service, call).join(' \\\n  ')}`,
  decide(service, decision) {
    const call = parts(service, decisionCall(decision));
    const action = `{"decision": {"action": "${decision.onFailure}"}}`;
    return [
      `curl --silent --show-error --max-time ${timeoutSeconds} ${call.join(' \\\n  ')} \\`,
      `  || echo '${action}' # ${failureComment(decision)}`,
      `# ${actionsComment(decision)}`,
      ...(decision.onChallenge === 'confirm' ? [] : [`# Treat challenge as ${decision.onChallenge}.`]),
      '',
    ].join('\n');
  },
};

function parts({ baseUrl, key }: Service, { method, target, body }: ApiCall): string[] {
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    ...(method === usual ? [] : [`-X ${method}`]),
    `-H ${key === null ? '"Authorization: Bearer $SIGNALPOST_KEY"' : quoted(`Authorization: Bearer ${key}`)}`,
    ...(body === undefined ? [] : ['-H "Content-Type: application/json"', `-d ${quoted(readable(body))}`]),
    quoted(`${baseUrl}${target}`),
  ];
}

function quoted(text: string): string {
  return /^[\w:/.-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** On one line if it is short. */
function readable(body: unknown): string {
  const line = JSON.stringify(body);
  return line.length <= 60 ? line : JSON.stringify(body, null, 2);
}
