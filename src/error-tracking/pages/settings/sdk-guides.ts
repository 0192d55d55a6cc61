import { COMPILED_GUIDES, SCRIPTING_GUIDES } from './server-sdk-guides.js';
import { type SdkGuide, lines, INSTALL, TRY } from './sdk-guide.js';

const PAGE_NOTE = 'Pages with a Content-Security-Policy must allow this site in connect-src.';

const NODE: SdkGuide = {
  name: 'node',
  label: 'Node.js',
  steps: (dsn) => [
    { title: INSTALL, code: 'npm install @sentry/node' },
    {
      title: 'Create instrument.mjs',
      code: lines(
        `import * as Sentry from '@sentry/node';`,
        '',
        'Sentry.init({',
        `  dsn: '${dsn}',`,
        `  environment: 'production',`,
        '});',
      ),
    },
    {
      title: 'Load it first',
      code: 'node --import ./instrument.mjs app.mjs',
    },
    {
      title: TRY,
      code: `node --import ./instrument.mjs --eval "throw new Error('Hello from Node.js')"`,
    },
  ],
};

const BROWSER: SdkGuide = {
  name: 'browser',
  label: 'Browser',
  steps: (dsn) => [
    { title: INSTALL, code: 'npm install @sentry/browser' },
    {
      title: 'At the top of your bundle',
      code: lines(
        `import * as Sentry from '@sentry/browser';`,
        '',
        'Sentry.init({',
        `  dsn: '${dsn}',`,
        `  environment: 'production',`,
        '});',
      ),
    },
    { title: TRY, code: `setTimeout(() => { throw new Error('Hello from the browser'); });` },
  ],
  note: PAGE_NOTE,
};

const REACT: SdkGuide = {
  name: 'react',
  label: 'React',
  steps: (dsn) => [
    { title: INSTALL, code: 'npm install @sentry/react' },
    {
      title: 'Where the application is mounted (React 19)',
      code: lines(
        `import * as Sentry from '@sentry/react';`,
        `import { createRoot } from 'react-dom/client';`,
        `import App from './guides/App';`,
        '',
        `Sentry.init({ dsn: '${dsn}' });`,
        '',
        `createRoot(document.getElementById('root'), {`,
        '  onUncaughtError: Sentry.reactErrorHandler(),',
        '  onCaughtError: Sentry.reactErrorHandler(),',
        '  onRecoverableError: Sentry.reactErrorHandler(),',
        '}).render(<App />);',
      ),
    },
    {
      title: TRY,
      code: `<button onClick={() => { throw new Error('Hello from React'); }}>Break</button>`,
    },
  ],
  note: `Before React 19, wrap the application in <Sentry.ErrorBoundary> instead. ${PAGE_NOTE}`,
};

const VUE: SdkGuide = {
  name: 'vue',
  label: 'Vue',
  steps: (dsn) => [
    { title: INSTALL, code: 'npm install @sentry/vue' },
    {
      title: 'In main.js (Vue 3)',
      code: lines(
        `import * as Sentry from '@sentry/vue';`,
        `import { createApp } from 'vue';`,
        `import App from './guides/App.vue';`,
        '',
        'const app = createApp(App);',
        '',
        `Sentry.init({ app, dsn: '${dsn}' });`,
        '',
        `app.mount('#app');`,
      ),
    },
    { title: TRY, code: `setTimeout(() => { throw new Error('Hello from Vue'); });` },
  ],
  note: PAGE_NOTE,
};

/** Of programs in JavaScript and TypeScript. */
const JAVASCRIPT_GUIDES: readonly SdkGuide[] = [NODE, BROWSER, REACT, VUE];

/** Sends an event without an SDK. */
const SHELL_GUIDE: SdkGuide = {
  name: 'shell',
  label: 'cURL',
  steps: (dsn) => [{ title: 'Send an error with curl', code: curlText(dsn) }],
  note: 'SDKs send envelopes to “envelope” instead of “store” at the same URL.',
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

/** Builds the collector's URL from a DSN as SDKs do. */
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
