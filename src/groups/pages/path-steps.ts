import type { Crumb } from '../../core/ui/shell.js';

/** The groups on the way to a namespace, itself included; names of groups hold no slash. */
export function pathSteps(
  { fullPath, fullName }: { fullPath: string; fullName: string },
  prefix: string,
): Crumb[] {
  const names = fullName.split(' / ');
  const paths = fullPath.split('/');
  return paths.map((path, at) => ({
    label: names[at] ?? path,
    href: prefix + paths.slice(0, at + 1).join('/'),
  }));
}
