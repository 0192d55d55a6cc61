/** The path with those parameters that say something: none that is '', null or undefined. */
export function filledAddress(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null && value !== '') params.set(name, String(value));
  }
  return `${path}?${params.toString()}`;
}
