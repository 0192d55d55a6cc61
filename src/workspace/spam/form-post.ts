const TIMEOUT_MS = 3_000;
const MAX_ANSWER_BYTES = 64 * 1024;

/** Successful response of a service. */
export interface FormAnswer {
  headers: Headers;
  text: string;
}

/**
 * Sends a form to a service that an administrator configured. Throws for anything but an answer
 * of success within 3 seconds and 64 KiB; redirects count as failure, so that the service cannot
 * send us to other addresses. Messages of errors hold no field of the form.
 */
export async function postForm(
  address: string,
  fields: Readonly<Record<string, string>>,
): Promise<FormAnswer> {
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`${url.protocol} is no protocol for a service`);
  }
  const response = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: { 'User-Agent': 'Guildhall' },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (response.ok) return { headers: response.headers, text: await boundedText(response) };
  await response.body?.cancel();
  throw new Error(`${url.origin} answered ${response.status}`);
}

async function boundedText({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body ?? []) {
    length += chunk.byteLength;
    if (length > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Returns the log text of a failed `postForm`, without secrets. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}
