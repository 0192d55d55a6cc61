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

const GO: SdkGuide = {
  name: 'go',
  label: 'Go',
  steps: (dsn) => [
    { title: INSTALL, code: 'go get github.com/getsentry/sentry-go' },
    {
      title: 'At the beginning of main',
      code: lines(
        'err := sentry.Init(sentry.ClientOptions{',
        `\tDsn:              "${dsn}",`,
        '\tAttachStacktrace: true,',
        '})',
        'if err != nil {',
        '\tlog.Fatalf("sentry.Init: %s", err)',
        '}',
        'defer sentry.Flush(2 * time.Second)',
      ),
    },
    { title: TRY, code: 'sentry.CaptureException(errors.New("Hello from Go"))' },
  ],
};

const JAVA: SdkGuide = {
  name: 'java',
  label: 'Java',
  steps: (dsn) => [
    { title: 'Add the SDK to build.gradle', code: `implementation 'io.sentry:sentry:8.+'` },
    {
      title: 'At the beginning of main',
      code: lines(
        'import io.sentry.Sentry;',
        '',
        'Sentry.init(options -> {',
        `    options.setDsn("${dsn}");`,
        '});',
      ),
    },
    { title: TRY, code: 'Sentry.captureException(new RuntimeException("Hello from Java"));' },
  ],
};

const SPRING: SdkGuide = {
  name: 'spring',
  label: 'Spring Boot',
  steps: (dsn) => [
    {
      title: 'Add the SDK to build.gradle (Spring Boot 3)',
      code: `implementation 'io.sentry:sentry-spring-boot-starter-jakarta:8.+'`,
    },
    { title: 'In application.properties', code: `sentry.dsn=${dsn}` },
    {
      title: TRY,
      code: 'io.sentry.Sentry.captureException(new RuntimeException("Hello from Spring"));',
    },
  ],
  note: 'Spring Boot 4 needs sentry-spring-boot-4-starter instead, Spring Boot 2 sentry-spring-boot-starter.',
};

const DOTNET: SdkGuide = {
  name: 'dotnet',
  label: '.NET',
  steps: (dsn) => [
    { title: INSTALL, code: 'dotnet add package Sentry' },
    {
      title: 'At the beginning of Program.cs',
      code: lines(
        'using Sentry;',
        '',
        'using var sentry = SentrySdk.Init(options =>',
        '{',
        `    options.Dsn = "${dsn}";`,
        '});',
      ),
    },
    {
      title: TRY,
      code: 'SentrySdk.CaptureException(new InvalidOperationException("Hello from .NET"));',
    },
  ],
};

const ASPNET: SdkGuide = {
  name: 'aspnet',
  label: 'ASP.NET Core',
  steps: (dsn) => [
    { title: INSTALL, code: 'dotnet add package Sentry.AspNetCore' },
    {
      title: 'In Program.cs',
      code: lines(
        'var builder = WebApplication.CreateBuilder(args);',
        `builder.WebHost.UseSentry("${dsn}");`,
      ),
    },
    {
      title: TRY,
      code: 'SentrySdk.CaptureException(new InvalidOperationException("Hello from ASP.NET"));',
    },
  ],
};

const RUST: SdkGuide = {
  name: 'rust',
  label: 'Rust',
  steps: (dsn) => [
    { title: INSTALL, code: 'cargo add sentry' },
    {
      title: 'At the beginning of main; errors are sent as long as the guard lives',
      code: lines(`let _guard = sentry::init("${dsn}");`),
    },
    { title: TRY, code: 'panic!("Hello from Rust");' },
  ],
};

/** Of programs that are compiled. */
export const COMPILED_GUIDES: readonly SdkGuide[] = [GO, JAVA, SPRING, DOTNET, ASPNET, RUST];
