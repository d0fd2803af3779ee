import {
  actionsComment,
  decisionCall,
  failureComment,
  invalidMessage,
  type Language,
  literal,
  type Syntax,
  timeoutSeconds,
  unavailableMessage,
} from './snippet.ts';

const text = (value: string): string => JSON.stringify(value);

const syntax: Syntax = {
  words: { null: 'None', true: 'True', false: 'False' },
  object: ['{', '}'],
  emptyObject: '{}',
  pair: ': ',
  key: text,
  text,
};

const bearer = (key: string | null): string =>
  key === null ? '"Bearer " + os.environ["SIGNALPOST_KEY"]' : text(`Bearer ${key}`);

/** Python, with its standard library. */
export const python: Language = {
  name: 'Python',
  call({ baseUrl, key }, { method, target, body }) {
    const type = body === undefined ? '' : ', "Content-Type": "application/json"';
    return [
      ...(body === undefined ? [] : ['import json']),
      ...(key === null ? ['import os'] : []),
      'import urllib.request',
      '',
      'request = urllib.request.Request(',
      `    ${text(baseUrl + target)},`,
      `    method="${method}",`,
      `    headers={"Authorization": ${bearer(key)}${type}},`,
      ...(body === undefined ? [] : [`    data=json.dumps(${literal(body, syntax, '    ', '    ')}).encode(),`]),
      ')',
      'with urllib.request.urlopen(request) as response:',
      '    print(response.status, response.read().decode())',
      '',
    ].join('\n');
  },
  decide({ baseUrl, key }, decision) {
    const { email, ip, onFailure, onChallenge } = decision;
    const challenge =
      onChallenge === 'confirm' ? '' : `    if action == "challenge":\n        action = "${onChallenge}"\n`;
    return `import http.client
import json
${key === null ? 'import os\n' : ''}import sys
import urllib.request

URL = ${text(baseUrl + decisionCall(decision).target)}


def decide(email, ip):
    """Returns the action for a sign-up and a message for the visitor."""
    headers = {
        "Authorization": ${bearer(key)},
        "Content-Type": "application/json",
    }
    body = json.dumps({"email": email, "ip": ip}).encode()
    try:
        request = urllib.request.Request(URL, body, headers)
        with urllib.request.urlopen(request, timeout=${timeoutSeconds}) as response:
            decision = json.load(response)["decision"]
    except (OSError, http.client.HTTPException, ValueError) as error:
        status = getattr(error, "code", 503)
        if status == 422 and json.load(error)["error"] == "invalid_email":
            return "block", ${text(invalidMessage)}
        if status < 500 and status != 429:
            raise  # such as a wrong key
        print(f"Signalpost did not answer: {error}", file=sys.stderr)
        # ${failureComment(decision)}
        return "${onFailure}", ${onFailure === 'allow' ? 'None' : text(unavailableMessage)}
    action = decision["action"]
${challenge}    rule = decision["matched_rule"]
    return action, rule and rule["message"]


action, message = decide(${text(email)}, ${text(ip)})
print(action, message)
# ${actionsComment(decision)}
`;
  },
};
