import { describe, expect, it } from '@jest/globals';
import { frame, hashesOf, readSent, thrown } from '../../../../test/support/sent-events.js';
import type { JsonObject } from '../json-values.js';

type Frames = JsonObject[];

/** Several events of one exception: the same, thrown through these calls. */
function eventsOf(
  platform: string,
  exception: [type: string, value: string],
  stacks: Frames[],
): JsonObject[] {
  return stacks.map((frames) => thrown(platform, exception, frames));
}

const SITE = '/usr/lib/python3.12/site-packages/django';

/** Events that belong together, with the title and the place of the first one. */
const ERRORS: [name: string, title: string, culprit: string, events: JsonObject[]][] = [
  [
    'Python: other lines and another virtual environment',
    "KeyError: 'total'",
    'checkout(shop.views)',
    eventsOf(
      'python',
      ['KeyError', "'total'"],
      [
        [
          frame('inner', 'django.core', { in_app: false, abs_path: `${SITE}/core.py` }),
          frame('checkout', 'shop.views', { lineno: 41, filename: 'shop/views.py' }),
        ],
        [
          frame('inner', 'django.core', { in_app: false, abs_path: '/venv/django/core.py' }),
          frame('checkout', 'shop.views', { lineno: 47, filename: 'shop/views.py' }),
        ],
      ],
    ),
  ],
  [
    'Python: frames of libraries that changed',
    "KeyError: 'price'",
    'price(shop.models)',
    eventsOf(
      'python',
      ['KeyError', "'price'"],
      [
        [frame('get', 'django.db', { in_app: false }), frame('price', 'shop.models')],
        [frame('fetch', 'django.orm', { in_app: false }), frame('price', 'shop.models')],
      ],
    ),
  ],
  [
    'Python: code of a module itself',
    "ModuleNotFoundError: No module named 'redis'",
    '<module>(worker)',
    eventsOf(
      'python',
      ['ModuleNotFoundError', "No module named 'redis'"],
      [[frame('<module>', 'worker', { context_line: 'import redis' })]],
    ),
  ],
  [
    'PHP: releases in folders of their own',
    'PDOException: SQLSTATE[23000]: Duplicate entry 17 for key users.email',
    'App\\Users::save(/srv/releases/20260301/src/Users.php)',
    ['20260301', '20260309'].map((release) =>
      thrown(
        'php',
        ['PDOException', 'SQLSTATE[23000]: Duplicate entry 17 for key users.email'],
        [
          frame('{closure}', `/srv/releases/${release}/public/index.php`),
          frame('App\\Users::save', `/srv/releases/${release}/src/Users.php`),
        ],
      ),
    ),
  ],
  [
    'PHP: classes without a name',
    'class@anonymous\ufffd/srv/app/a.php:12$0: failed',
    'run(/srv/app/a.php)',
    ['12$0', '14$1'].map((place) =>
      thrown(
        'php',
        [`class@anonymous\u0000/srv/app/a.php:${place}`, 'failed'],
        [frame('run', '/srv/app/a.php')],
      ),
    ),
  ],
  [
    'Java: lambdas, proxies and generated accessors',
    'NullPointerException: Cannot invoke "Cart.total()" because "cart" is null',
    'lambda$checkout$0(com.example.Shop$$EnhancerBySpringCGLIB$$1a2b3c4d)',
    eventsOf(
      'java',
      ['NullPointerException', 'Cannot invoke "Cart.total()" because "cart" is null'],
      [
        [
          frame('invoke', 'jdk.internal.reflect.GeneratedMethodAccessor17'),
          frame('lambda$checkout$0', 'com.example.Shop$$EnhancerBySpringCGLIB$$1a2b3c4d'),
        ],
        [
          frame('invoke', 'jdk.internal.reflect.GeneratedMethodAccessor203'),
          frame('lambda$checkout$3', 'com.example.Shop$$EnhancerBySpringCGLIB$$99ffee00'),
        ],
      ],
    ),
  ],
  [
    'Java: the same exception elsewhere',
    'NullPointerException: Cannot invoke "Cart.total()" because "cart" is null',
    'total(com.example.Invoice)',
    eventsOf(
      'java',
      ['NullPointerException', 'Cannot invoke "Cart.total()" because "cart" is null'],
      [[frame('total', 'com.example.Invoice')]],
    ),
  ],
  [
    'Go: closures and methods, frames of a bare list',
    '*errors.errorString: dial tcp 10.0.0.7:5432: connect: connection refused',
    '(*Server).Serve.func1(main)',
    ['func1', 'func2.1'].map((closure) => ({
      platform: 'go',
      exception: [
        {
          type: '*errors.errorString',
          value: 'dial tcp 10.0.0.7:5432: connect: connection refused',
          stacktrace: { frames: [frame(`(*Server).Serve.${closure}`, 'main')] },
        },
      ],
    })),
  ],
  [
    'Go: another method of the same receiver',
    '*errors.errorString: dial tcp 10.0.0.7:5432: connect: connection refused',
    '(*Server).Close(main)',
    eventsOf(
      'go',
      ['*errors.errorString', 'dial tcp 10.0.0.7:5432: connect: connection refused'],
      [[frame('(*Server).Close', 'main')]],
    ),
  ],
  [
    '.NET: state machines and closures of the compiler',
    'System.InvalidOperationException: Sequence contains no elements',
    '<LoadAsync>d__7.MoveNext(Shop.Carts)',
    eventsOf(
      'csharp',
      ['System.InvalidOperationException', 'Sequence contains no elements'],
      [
        [frame('<LoadAsync>d__7.MoveNext', 'Shop.Carts')],
        [frame('<LoadAsync>d__12.MoveNext', 'Shop.Carts')],
        [frame('LoadAsync(System.String id)', 'Shop.Carts')],
      ],
    ),
  ],
  [
    'Ruby: blocks',
    "NoMethodError: undefined method `total' for nil:NilClass",
    'block (2 levels) in checkout(app/models/cart.rb)',
    eventsOf(
      'ruby',
      ['NoMethodError', "undefined method `total' for nil:NilClass"],
      [
        [frame('block (2 levels) in checkout', 'app/models/cart.rb', { lineno: 4 })],
        [frame('block in checkout', '/srv/current/app/models/cart.rb', { lineno: 9 })],
        [frame('checkout', '/srv/releases/7/app/models/cart.rb')],
      ],
    ),
  ],
  [
    'Rust: hashes of symbols and closures',
    'panic: index out of bounds: the len is 3 but the index is 7',
    'shop::cart::total::h0123456789abcdef(src/cart.rs)',
    eventsOf(
      'native',
      ['panic', 'index out of bounds: the len is 3 but the index is 7'],
      [
        [frame('shop::cart::total::h0123456789abcdef', 'src/cart.rs')],
        [frame('shop::cart::total::{{closure}}::hfedcba9876543210', 'src/cart.rs')],
        [frame('shop::cart::total', '/home/ci/.cargo/registry/src/cart.rs')],
      ],
    ),
  ],
  [
    'C++: functions alone count, wherever they were built',
    'SIGSEGV: Segfault',
    '(anonymous namespace)::Cart::total(int, char const*)(/build/1/cart.cpp)',
    ['/build/1/cart.cpp', '/build/2/cart.cpp'].map((filename) =>
      thrown(
        'native',
        ['SIGSEGV', 'Segfault'],
        [frame('(anonymous namespace)::Cart::total(int, char const*)', filename)],
      ),
    ),
  ],
  [
    'an exception without calls: ids, times and addresses in its value',
    'TimeoutError: request 9ec79c33-ec99-42ab-8353-589fcb2e04dc took 31.5s',
    'other',
    [
      'request 9ec79c33-ec99-42ab-8353-589fcb2e04dc took 31.5s',
      'request 00000000-ec99-42ab-8353-589fcb2e04dc took 30 s\nmore',
    ].map((value) => ({ exception: { type: 'TimeoutError', value } })),
  ],
];

describe('errors of servers', () => {
  it.each(ERRORS)('%s: %s in %s', (...[, title, culprit, events]) => {
    expect(readSent(events[0])).toMatchObject({ title, culprit });
    const [first = [], ...others] = events.map(hashesOf);
    for (const hashes of others) expect(hashes.some((hash) => first.includes(hash))).toBe(true);
  });

  it('are as many as there are problems', () => {
    const hashes = ERRORS.map(([, , , events]) => hashesOf(events[0] ?? {})[0]);
    expect(new Set(hashes).size).toBe(ERRORS.length);
  });
});
