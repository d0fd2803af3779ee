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

const text = (value: string): string => JSON.stringify(value).replaceAll('#', '\\#');

const syntax: Syntax = {
  words: { null: 'nil', true: 'true', false: 'false' },
  object: ['{ ', ' }'],
  emptyObject: '{}',
  pair: ' => ',
  key: text,
  text,
};

const bearer = (key: string | null): string =>
  key === null ? '"Bearer #{ENV.fetch("SIGNALPOST_KEY")}"' : text(`Bearer ${key}`);

/** Ruby, with its standard library. */
export const ruby: Language = {
  name: 'Ruby',
  call({ baseUrl, key }, { method, target, body }) {
    const type = body === undefined ? '' : ', "Content-Type" => "application/json"';
    const name = method.charAt(0) + method.slice(1).toLowerCase();
    return [
      'require "json"',
      'require "net/http"',
      '',
      `uri = URI(${text(baseUrl + target)})`,
      `request = Net::HTTP::${name}.new(uri, { "Authorization" => ${bearer(key)}${type} })`,
      ...(body === undefined ? [] : [`request.body = JSON.generate(${literal(body, syntax, '')})`]),
      'response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == "https") { |http| http.request(request) }',
      'puts response.code, response.body',
      '',
    ].join('\n');
  },
  decide({ baseUrl, key }, decision) {
    const { email, ip, onFailure, onChallenge } = decision;
    const challenge = onChallenge === 'confirm' ? '' : `  action = "${onChallenge}" if action == "challenge"\n`;
    return `require "json"
require "net/http"

# Returns the action for a sign-up and a message for the visitor.
def decide(email, ip)
  uri = URI(${text(baseUrl + decisionCall(decision).target)})
  headers = { "Authorization" => ${bearer(key)}, "Content-Type" => "application/json" }
  options = { use_ssl: uri.scheme == "https", open_timeout: ${timeoutSeconds}, read_timeout: ${timeoutSeconds} }
  response = Net::HTTP.start(uri.host, uri.port, **options) do |http|
    http.post(uri.request_uri, JSON.generate({ email: email, ip: ip }), headers)
  end
  answer = JSON.parse(response.body)
  return ["block", ${text(invalidMessage)}] if answer["error"] == "invalid_email"
  raise IOError, "status #{response.code}" if response.code == "429" || response.code >= "500"
  raise "Signalpost: #{response.code} #{response.body}" if response.code != "200" # such as a wrong key
  action = answer["decision"]["action"]
${challenge}  [action, answer["decision"].dig("matched_rule", "message")]
rescue SystemCallError, SocketError, IOError, Timeout::Error, OpenSSL::SSL::SSLError, JSON::ParserError => error
  warn "Signalpost did not answer: #{error.message}"
  # ${failureComment(decision)}
  ["${onFailure}", ${onFailure === 'allow' ? 'nil' : text(unavailableMessage)}]
end

action, message = decide(${text(email)}, ${text(ip)})
puts "#{action} #{message}"
# ${actionsComment(decision)}
`;
  },
};
