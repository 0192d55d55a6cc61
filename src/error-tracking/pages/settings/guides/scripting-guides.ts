import { INSTALL, lines, TRY, type SdkGuide } from './sdk-guide.js';

const pythonSetup = (dsn: string): string =>
  lines('import sentry_sdk', '', 'sentry_sdk.init(', `    dsn="${dsn}",`, ')');

const PYTHON: SdkGuide = {
  name: 'python',
  label: 'Python',
  steps: (dsn) => [
    { title: INSTALL, code: 'pip install sentry-sdk' },
    { title: 'As early as possible', code: pythonSetup(dsn) },
    { title: TRY, code: '1 / 0' },
  ],
};

const DJANGO: SdkGuide = {
  name: 'django',
  label: 'Django',
  steps: (dsn) => [
    { title: INSTALL, code: 'pip install "sentry-sdk[django]"' },
    { title: 'In settings.py', code: pythonSetup(dsn) },
    { title: TRY, code: 'python manage.py shell -c "1 / 0"' },
  ],
};

const FLASK: SdkGuide = {
  name: 'flask',
  label: 'Flask',
  steps: (dsn) => [
    { title: INSTALL, code: 'pip install "sentry-sdk[flask]"' },
    {
      title: 'Before the application is made',
      code: lines(pythonSetup(dsn), '', 'app = Flask(__name__)'),
    },
    { title: TRY, code: lines('@app.route("/break")', 'def break_it():', '    1 / 0') },
  ],
};

const PHP: SdkGuide = {
  name: 'php',
  label: 'PHP',
  steps: (dsn) => [
    { title: INSTALL, code: 'composer require sentry/sentry' },
    {
      title: 'As early as possible',
      code: lines(
        `require __DIR__ . '/vendor/autoload.php';`,
        '',
        `\\Sentry\\init(['dsn' => '${dsn}']);`,
      ),
    },
    { title: TRY, code: `\\Sentry\\captureException(new \\Exception('Hello from PHP'));` },
  ],
};

const LARAVEL: SdkGuide = {
  name: 'laravel',
  label: 'Laravel',
  steps: (dsn) => [
    { title: INSTALL, code: 'composer require sentry/sentry-laravel' },
    { title: 'Write the address into .env', code: `php artisan sentry:publish --dsn=${dsn}` },
    {
      title: 'In bootstrap/app.php (Laravel 11 and newer)',
      code: lines(
        '->withExceptions(function (Exceptions $exceptions) {',
        '    \\Sentry\\Laravel\\Integration::handles($exceptions);',
        '})',
      ),
    },
    { title: TRY, code: 'php artisan sentry:test' },
  ],
};

const rubySetup = (dsn: string): string =>
  lines('Sentry.init do |config|', `  config.dsn = "${dsn}"`, 'end');

const RUBY: SdkGuide = {
  name: 'ruby',
  label: 'Ruby',
  steps: (dsn) => [
    { title: INSTALL, code: 'bundle add sentry-ruby' },
    { title: 'As early as possible', code: lines('require "sentry-ruby"', '', rubySetup(dsn)) },
    {
      title: TRY,
      code: lines(
        'begin',
        '  raise "Hello from Ruby"',
        'rescue => error',
        '  Sentry.capture_exception(error)',
        'end',
      ),
    },
  ],
  note: 'Rack applications need “use Sentry::Rack::CaptureExceptions” in config.ru, too.',
};

const RAILS: SdkGuide = {
  name: 'rails',
  label: 'Rails',
  steps: (dsn) => [
    { title: INSTALL, code: 'bundle add sentry-ruby sentry-rails' },
    { title: 'In config/initializers/sentry.rb', code: rubySetup(dsn) },
    {
      title: TRY,
      code: `bin/rails runner 'begin; raise "Hello from Rails"; rescue => e; Sentry.capture_exception(e); end'`,
    },
  ],
};

/** Of programs in Python, PHP and Ruby. */
export const SCRIPTING_GUIDES: readonly SdkGuide[] = [
  PYTHON,
  DJANGO,
  FLASK,
  PHP,
  LARAVEL,
  RUBY,
  RAILS,
];
