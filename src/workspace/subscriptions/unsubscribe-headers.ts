/** The page where the reader of an email unsubscribes. */
export function unsubscribeAddress(baseUrl: string, key: string): string {
  return `${baseUrl}/-/sent_notifications/${key}/unsubscribe`;
}

/** Headers for unsubscribing with one click (RFC 8058 §3.1). */
export function unsubscribeHeaders(baseUrl: string, key: string): Record<string, string> {
  return {
    'List-Unsubscribe': `<${unsubscribeAddress(baseUrl, key)}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  };
}
