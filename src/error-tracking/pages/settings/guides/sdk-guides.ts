import { COMPILED_GUIDES } from './compiled-guides.js';
import { JAVASCRIPT_GUIDES } from './javascript-guides.js';
import { SCRIPTING_GUIDES } from './scripting-guides.js';
import { type SdkGuide, lines } from './sdk-guide.js';

/** For whatever has no SDK, and to see whether the address can be reached from a machine. */
const SHELL_GUIDE: SdkGuide = {
  name: 'shell',
  label: 'A shell',
  steps: (dsn) => [{ title: 'Send an error with curl', code: curlText(dsn) }],
  note: 'What SDKs send goes to “envelope” instead of “store” below the same address.',
};

/** All of them, in the order in which they are offered. */
export const SDK_GUIDES: readonly [SdkGuide, ...SdkGuide[]] = [
  ...(JAVASCRIPT_GUIDES as [SdkGuide, ...SdkGuide[]]),
  ...SCRIPTING_GUIDES,
  ...COMPILED_GUIDES,
  SHELL_GUIDE,
];

/** The guide that an address names, or the first one. */
export function guideNamed(name: unknown): SdkGuide {
  return SDK_GUIDES.find((guide) => guide.name === name) ?? SDK_GUIDES[0];
}

/** SDKs make the address of the collector of a DSN in the same way. */
function curlText(dsn: string): string {
  const { protocol, username, host, pathname } = new URL(dsn);
  const end = pathname.lastIndexOf('/');
  const collector = `${protocol}//${host}${pathname.slice(0, end)}/api${pathname.slice(end)}`;
  return lines(
    'curl --request POST \\',
    '  --header "Content-Type: application/json" \\',
    `  --data '{"message": "Hello from a shell", "level": "error"}' \\`,
    `  "${collector}/store/?sentry_version=7&sentry_key=${username}"`,
  );
}
