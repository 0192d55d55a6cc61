import { INSTALL, lines, TRY, type SdkGuide } from './sdk-guide.js';

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
