import { describe, expect, it } from '@jest/globals';
import { frame, hashesOf, readSent, thrown } from '../../../../test/support/sent-events.js';
import type { JsonObject } from '../json-values.js';

const UNDEFINED = "Cannot read properties of undefined (reading 'total')";
const CDN = 'https://cdn.example.com';

/** Events that belong together, with the title and the place of the first one. */
type Problem = [name: string, title: string, culprit: string, events: JsonObject[]];

const ERRORS: Problem[] = [
  [
    'node: other line numbers and another machine',
    `TypeError: ${UNDEFINED}`,
    'Cart.total(cart.service:total)',
    [
      thrown(
        'node',
        ['TypeError', UNDEFINED],
        [
          frame('handle', 'router:handle', { lineno: 10 }),
          frame('Cart.total', 'cart.service:total', { lineno: 20, filename: '/app/cart.js' }),
        ],
      ),
      thrown(
        'node',
        ['TypeError', UNDEFINED],
        [
          frame('handle', 'router:handle', { lineno: 12 }),
          frame('Cart.total', 'cart.service:total', { lineno: 29, filename: 'C:\\srv\\cart.js' }),
        ],
      ),
    ],
  ],
  [
    'node: another message of the same throw',
    'NotFoundError: user 17 not found',
    'findUser(/srv/app/users.js)',
    [
      thrown(
        'node',
        ['NotFoundError', 'user 17 not found'],
        [frame('findUser', '/srv/app/users.js')],
      ),
      thrown(
        'node',
        ['NotFoundError', 'user 18 not found'],
        [frame('async findUser', 'file:///srv/releases/20260301/users.js')],
      ),
    ],
  ],
  [
    'node: the same function of another class',
    'NotFoundError: user 17 not found',
    'Orders.find(/srv/app/store.js)',
    [
      thrown(
        'node',
        ['NotFoundError', 'user 17 not found'],
        [frame('Orders.find', '/srv/app/store.js')],
      ),
    ],
  ],
  [
    'node: top-level code told by its source line',
    'SyntaxError: Unexpected token } in JSON at position 7',
    'Object.<anonymous>(/srv/app/boot.js)',
    [
      thrown(
        'node',
        ['SyntaxError', 'Unexpected token } in JSON at position 7'],
        [frame('Object.<anonymous>', '/srv/app/boot.js', { context_line: 'JSON.parse(raw);' })],
      ),
      thrown(
        'node',
        ['SyntaxError', 'Unexpected token ] in JSON at position 9'],
        [frame('<anonymous>', '/srv/app/boot.js', { context_line: '  JSON.parse(raw);  ' })],
      ),
    ],
  ],
  ...['user.name', 'user.email'].map((code): Problem => [
    'node: nameless listeners told by their source lines',
    `TypeError: ${UNDEFINED}`,
    'Server.<anonymous>(/srv/app/routes.js)',
    [10, 17].map((lineno) =>
      thrown(
        'node',
        ['TypeError', UNDEFINED],
        [frame('Server.<anonymous>', '/srv/app/routes.js', { lineno, context_line: code })],
      ),
    ),
  ]),
  [
    'node: recursion of any depth',
    'RangeError: Maximum call stack size exceeded',
    'walk(tree:walk)',
    [3, 40].map((depth) =>
      thrown(
        'node',
        ['RangeError', 'Maximum call stack size exceeded'],
        Array.from({ length: depth }, () => frame('walk', 'tree:walk')),
      ),
    ),
  ],
  [
    'browsers: Chrome, Firefox and Safari name functions differently',
    `TypeError: ${UNDEFINED}`,
    'Object.render(https://cdn.example.com/static/cart.js)',
    [
      thrown(
        'javascript',
        ['TypeError', UNDEFINED],
        [
          frame('HTMLButtonElement.onclick', `${CDN}/static/cart.js`),
          frame('Object.render', `${CDN}/static/cart.js`),
        ],
      ),
      thrown(
        'javascript',
        ['TypeError', 'cart is undefined'],
        [
          frame('onclick', `${CDN}/static/cart.js`),
          frame('Cart/render/<', `${CDN}/static/cart.js`),
        ],
      ),
      thrown(
        'javascript',
        ['TypeError', "undefined is not an object (evaluating 'cart.total')"],
        [
          frame('onclick', `${CDN}/static/cart.js?v=2`),
          frame('render', `${CDN}/static/cart.js?v=2`),
        ],
      ),
    ],
  ],
  [
    'browsers: hashes of builds in names of bundles',
    'TypeError: e is null',
    'loadUser(https://cdn.example.com/static/js/main.3f2a9c8b.js)',
    ['main.3f2a9c8b.js', 'main.77aa01.js', 'main-BX7dk3_z.js', 'main.min.js'].map((file) =>
      thrown(
        'javascript',
        ['TypeError', 'e is null'],
        [frame('loadUser', `${CDN}/static/js/${file}`)],
      ),
    ),
  ],
  [
    'browsers: prefixes of bundlers',
    'Error: no such page',
    'openPage(webpack:///./src/pages/index.ts)',
    ['webpack:///./src/pages/', 'webpack://shop/src/pages/', 'app:///src/pages/'].map((folder) =>
      thrown('javascript', ['Error', 'no such page'], [frame('openPage', `${folder}index.ts`)]),
    ),
  ],
  [
    'browsers: a common name of a file in another folder',
    'Error: no such page',
    'openPage(webpack:///./src/admin/index.ts)',
    [
      thrown(
        'javascript',
        ['Error', 'no such page'],
        [frame('openPage', 'webpack:///./src/admin/index.ts')],
      ),
    ],
  ],
  [
    'browsers: minified code is told by the message',
    'Error: cart 17 is locked',
    't(https://cdn.example.com/app.3f2a9c8b.js)',
    [
      thrown('javascript', ['Error', 'cart 17 is locked'], [frame('t', `${CDN}/app.3f2a9c8b.js`)]),
      thrown('javascript', ['Error', 'cart 18 is locked'], [frame('nn', `${CDN}/app.01fe44.js`)]),
    ],
  ],
  [
    'browsers: another message in minified code',
    'Error: cart is empty',
    't(https://cdn.example.com/app.3f2a9c8b.js)',
    [thrown('javascript', ['Error', 'cart is empty'], [frame('t', `${CDN}/app.3f2a9c8b.js`)])],
  ],
  ...['x', 'y'].map((name): Problem => [
    'browsers: handlers of buttons, which all have the same names',
    `TypeError: Cannot read properties of null (reading '${name}')`,
    'HTMLButtonElement.<anonymous>(https://cdn.example.com/app.3f2a9c8b.js)',
    ['HTMLButtonElement.<anonymous>', 'HTMLFormElement.onsubmit', 'onClick'].map((handler) =>
      thrown(
        'javascript',
        ['TypeError', `Cannot read properties of null (reading '${name}')`],
        [frame('t', `${CDN}/app.3f2a9c8b.js`), frame(handler, `${CDN}/app.3f2a9c8b.js`)],
      ),
    ),
  ]),
  [
    'browsers: scripts of others, of which nothing is known',
    'Error: Script error.',
    'javascript',
    [
      thrown('javascript', ['Error', 'Script error.'], []),
      thrown(
        'javascript',
        ['Error', 'Script error.'],
        [{ filename: '<anonymous>', function: '?', in_app: true }],
      ),
    ],
  ],
  [
    'browsers: a rejection without an error, of which the SDK makes up the type',
    'UnhandledRejection: Non-Error promise rejection captured with value: 17',
    'javascript',
    [17, 18].map((value) =>
      thrown(
        'javascript',
        ['UnhandledRejection', `Non-Error promise rejection captured with value: ${value}`],
        [],
      ),
    ),
  ],
];

describe('errors of JavaScript', () => {
  it.each(ERRORS)('%s: %s in %s', (...[, title, culprit, events]) => {
    expect(readSent(events[0])).toMatchObject({ title, culprit });
    expect(new Set(events.flatMap(hashesOf)).size).toBe(1);
  });

  it('are as many as there are problems', () => {
    const hashes = ERRORS.map(([, , , events]) => hashesOf(events[0] ?? {})[0]);
    expect(new Set(hashes).size).toBe(ERRORS.length);
  });
});
