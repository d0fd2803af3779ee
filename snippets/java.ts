import { actionsComment, decisionCall, failureComment, type Language, timeoutSeconds } from './snippet.ts';

const text = (value: string): string => JSON.stringify(value);

const bearer = (key: string | null): string =>
  key === null ? '"Bearer " + System.getenv("SIGNALPOST_KEY")' : text(`Bearer ${key}`);

/** A text block, whose indentation Java removes. */
function textBlock(value: string, indent: string): string {
  const escaped = value.replaceAll('\\', '\\\\').replaceAll('"""', '\\"""');
  return `"""\n${escaped.replace(/^/gm, indent)}"""`;
}

/** Java 17, with its standard library. */
export const java: Language = {
  name: 'Java',
  call({ baseUrl, key }, { method, target, body }) {
    const isShort = body === undefined && (method === 'GET' || method === 'DELETE');
    const content = body === undefined ? '""' : textBlock(JSON.stringify(body, null, 2), ' '.repeat(16));
    const request = isShort ? `${method}()` : `method("${method}", BodyPublishers.ofString(${content}))`;
    return `import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
${isShort ? '' : 'import java.net.http.HttpRequest.BodyPublishers;\n'}import java.net.http.HttpResponse.BodyHandlers;

public class Call {
    public static void main(String[] arguments) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(${text(baseUrl + target)}))
            .header("Authorization", ${bearer(key)})
${body === undefined ? '' : '            .header("Content-Type", "application/json")\n'}            .${request}
            .build();
        var response = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
        System.out.println(response.statusCode() + " " + response.body());
    }
}
`;
  },
  decide({ baseUrl, key }, decision) {
    const { email, ip, onFailure, onChallenge } = decision;
    const action =
      onChallenge === 'confirm' ? 'found.group(1)' : `found.group(1).replace("challenge", "${onChallenge}")`;
    return `import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.regex.Pattern;

public class SignUp {
    private static final HttpClient client = HttpClient.newHttpClient();
    // The JDK has no JSON parser. Read decision.action and decision.matched_rule.message with yours.
    private static final Pattern decided = Pattern.compile("\\"decision\\":\\\\{\\"action\\":\\"(\\\\w+)\\"");

    /** Returns the action for a sign-up. */
    static String decide(String email, String ip) throws InterruptedException {
        var body = "{\\"email\\": " + json(email) + ", \\"ip\\": " + json(ip) + "}";
        var request = HttpRequest.newBuilder(URI.create(${text(baseUrl + decisionCall(decision).target)}))
            .timeout(Duration.ofSeconds(${timeoutSeconds}))
            .header("Authorization", ${bearer(key)})
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body))
            .build();
        try {
            var response = client.send(request, BodyHandlers.ofString());
            int status = response.statusCode();
            if (response.body().contains("\\"error\\":\\"invalid_email\\"")) return "block";
            if (status == 429 || status >= 500) throw new IOException("status " + status);
            if (status != 200) throw new IllegalStateException(status + " " + response.body()); // such as a wrong key
            var found = decided.matcher(response.body());
            if (!found.find()) throw new IOException("no decision");
            return ${action};
        } catch (IOException error) {
            System.err.println("Signalpost did not answer: " + error);
            // ${failureComment(decision)}
            return "${onFailure}";
        }
    }

    private static String json(String text) {
        var escaped = text.replace("\\\\", "\\\\\\\\").replace("\\"", "\\\\\\"").replaceAll("\\\\p{Cntrl}", " ");
        return '"' + escaped + '"';
    }

    public static void main(String[] arguments) throws InterruptedException {
        System.out.println(decide(${text(email)}, ${text(ip)}));
        // ${actionsComment(decision)}
    }
}
`;
  },
};
