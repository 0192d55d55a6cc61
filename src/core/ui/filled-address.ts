/** Returns the path with the parameters that are not '', null or undefined. */
export function filledAddress(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value != null && value !== '') params.set(name, String(value));
  }
  return params.size === 0 ? path : `${path}?${params.toString()}`;
}
