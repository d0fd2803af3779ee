/** An answer, read whole; `body` is null unless it was a JSON object. */
export interface Answer {
  /** Its status and headers; its body is read. */
  readonly response: Response;
  readonly body: Readonly<Record<string, unknown>> | null;
  readonly isEmpty: boolean;
  /** How often the request was sent until it came. */
  readonly attempts: number;
}

/** Far more than the service's largest answer; another server at its address may send without end. */
const maxBytes = 16 * 1024 * 1024;

/** Reads a response with any body; rejects when the body is cut off or does not end. */
export async function readAnswer(response: Response, attempts: number): Promise<Answer> {
  const text = await readText(response);
  return { response, body: jsonObject(text), isEmpty: text === '', attempts };
}

async function readText(response: Response): Promise<string> {
  // Some runtimes have no streams of bodies.
  if (!response.body) return response.text();
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      reader.cancel().catch(() => {}); // The answer is rejected whether or not the cancellation arrives.
      throw new RangeError(`the answer is larger than ${maxBytes} bytes`);
    }
    text += decoder.decode(value, { stream: true });
  }
}

function jsonObject(text: string): Answer['body'] {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null; // Text that is not JSON is treated like a missing object: neither holds anything to read.
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
