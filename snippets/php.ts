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

const text = (value: string): string => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

const syntax: Syntax = {
  words: { null: 'null', true: 'true', false: 'false' },
  object: ['[', ']'],
  emptyObject: '(object) []',
  pair: ' => ',
  key: text,
  text,
};

const bearer = (key: string | null): string =>
  key === null ? `'Authorization: Bearer ' . getenv('SIGNALPOST_KEY')` : text(`Authorization: Bearer ${key}`);

/** PHP, without extensions. */
export const php: Language = {
  name: 'PHP',
  call({ baseUrl, key }, { method, target, body }) {
    const type = body === undefined ? '' : ", 'Content-Type: application/json'";
    return [
      '<?php',
      "$context = stream_context_create(['http' => [",
      ...(method === 'GET' ? [] : [`    'method' => '${method}',`]),
      `    'header' => [${bearer(key)}${type}],`,
      ...(body === undefined ? [] : [`    'content' => json_encode(${literal(body, syntax, '    ', '    ')}),`]),
      "    'ignore_errors' => true,",
      ']]);',
      `$text = file_get_contents(${text(baseUrl + target)}, false, $context);`,
      'echo $http_response_header[0], "\\n", $text, "\\n";',
      '',
    ].join('\n');
  },
  decide({ baseUrl, key }, decision) {
    const { email, ip, onFailure, onChallenge } = decision;
    const action = `$answer['decision']['action']`;
    return `<?php
/** Returns the action for a sign-up and a message for the visitor. */
function decide(string $email, ?string $ip): array
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [${bearer(key)}, 'Content-Type: application/json'],
        'content' => json_encode(['email' => $email, 'ip' => $ip]),
        'timeout' => ${timeoutSeconds},
        'ignore_errors' => true,
    ]]);
    $url = ${text(baseUrl + decisionCall(decision).target)};
    $text = @file_get_contents($url, false, $context);
    $status = $text === false ? 503 : (int) explode(' ', $http_response_header[0])[1];
    $answer = json_decode((string) $text, true);
    if ($status === 422 && $answer['error'] === 'invalid_email') {
        return ['block', ${text(invalidMessage)}];
    }
    if ($status >= 400 && $status < 500 && $status !== 429) {
        throw new RuntimeException("Signalpost: $status $text"); // such as a wrong key
    }
    if (!isset($answer['decision'])) {
        error_log("Signalpost did not answer: $status");
        // ${failureComment(decision)}
        return ['${onFailure}', ${onFailure === 'allow' ? 'null' : text(unavailableMessage)}];
    }
    $action = ${onChallenge === 'confirm' ? action : `${action} === 'challenge' ? '${onChallenge}' : ${action}`};
    return [$action, $answer['decision']['matched_rule']['message'] ?? null];
}

[$action, $message] = decide(${text(email)}, ${text(ip)});
echo $action, ' ', $message, "\\n";
// ${actionsComment(decision)}
`;
  },
};
