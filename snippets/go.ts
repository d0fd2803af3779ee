import {
  actionsComment,
  decisionCall,
  failureComment,
  invalidMessage,
  type Language,
  timeoutSeconds,
  unavailableMessage,
} from './snippet.ts';

const text = (value: string): string => JSON.stringify(value);

const bearer = (key: string | null): string =>
  key === null ? '"Bearer "+os.Getenv("SIGNALPOST_KEY")' : text(`Bearer ${key}`);

/** A raw string where the text allows it. */
function raw(value: string): string {
  return value.includes('`') ? text(value) : `\`${value}\``;
}

const imports = (names: readonly string[]): string => `import (\n${names.map((name) => `\t"${name}"\n`).join('')})`;

/** Go, with its standard library. */
export const go: Language = {
  name: 'Go',
  call({ baseUrl, key }, { method, target, body }) {
    const packages = [
      'fmt',
      'io',
      'log',
      'net/http',
      ...(key === null ? ['os'] : []),
      ...(body === undefined ? [] : ['strings']),
    ];
    const content = body === undefined ? 'nil' : `strings.NewReader(${raw(JSON.stringify(body, null, 2))})`;
    return `package main

${imports(packages)}

func main() {
	request, err := http.NewRequest("${method}", ${text(baseUrl + target)}, ${content})
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("Authorization", ${bearer(key)})
${body === undefined ? '' : '\trequest.Header.Set("Content-Type", "application/json")\n'}	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(response.Status, string(answer))
}
`;
  },
  decide({ baseUrl, key }, decision) {
    const { email, ip, onFailure, onChallenge } = decision;
    const packages = ['bytes', 'encoding/json', 'fmt', 'log', 'net/http', ...(key === null ? ['os'] : []), 'time'];
    const challenge =
      onChallenge === 'confirm'
        ? ''
        : `\tcase result.Decision.Action == "challenge":\n\t\treturn "${onChallenge}", result.Decision.MatchedRule.Message, nil\n`;
    return `package main

${imports(packages)}

var client = &http.Client{Timeout: ${timeoutSeconds} * time.Second}

type answer struct {
	Error    string
	Decision struct {
		Action      string
		MatchedRule struct{ Message string } \`json:"matched_rule"\`
	}
}

// decide returns the action for a sign-up and a message for the visitor.
func decide(email, ip string) (string, string, error) {
	body, err := json.Marshal(map[string]string{"email": email, "ip": ip})
	if err != nil {
		return "", "", err
	}
	request, err := http.NewRequest("POST", ${text(baseUrl + decisionCall(decision).target)}, bytes.NewReader(body))
	if err != nil {
		return "", "", err
	}
	request.Header.Set("Authorization", ${bearer(key)})
	request.Header.Set("Content-Type", "application/json")
	var result answer
	response, err := client.Do(request)
	if err == nil {
		defer response.Body.Close()
		err = json.NewDecoder(response.Body).Decode(&result)
	}
	switch {
	case err != nil || response.StatusCode == 429 || response.StatusCode >= 500:
		log.Print("Signalpost did not answer: ", err)
		// ${failureComment(decision)}
		return "${onFailure}", ${onFailure === 'allow' ? '""' : text(unavailableMessage)}, nil
	case result.Error == "invalid_email":
		return "block", ${text(invalidMessage)}, nil
	case response.StatusCode != 200: // such as a wrong key
		return "", "", fmt.Errorf("signalpost: %s %s", response.Status, result.Error)
${challenge}	}
	return result.Decision.Action, result.Decision.MatchedRule.Message, nil
}

func main() {
	action, message, err := decide(${text(email)}, ${text(ip)})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(action, message)
	// ${actionsComment(decision)}
}
`;
  },
};
