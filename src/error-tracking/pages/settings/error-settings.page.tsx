import type { VNode } from 'preact';
import { Card } from '../../../core/ui/components/content.js';
import type { FormProblems } from '../../../core/ui/form-errors.js';
import type { PageShell } from '../../../core/ui/shell.js';
import { ProjectFrame } from '../../../projects/pages/project-frame.js';
import { ProjectSettingsTabs } from '../../../projects/pages/project-settings-tabs.js';
import type { ProjectRow } from '../../../projects/projects.repository.js';
import { dsnOf } from '../../client-keys/dsn.js';
import { trackerExternalUrl } from '../../settings/tracker-url.js';
import { errorSettingsPath, errorsPath } from '../../error-paths.js';
import { DsnCard } from './dsn-card.js';
import { valuesOfSettings, type FilledForm } from './error-form-values.js';
import type { ErrorSetUp } from './error-set-ups.service.js';
import { KeysCard, type ShownKey } from './keys-card.js';
import { SdkCard } from './sdk-card.js';
import { StoringForm } from './storing-form.js';
import { TrackingForm } from './tracking-form.js';
import { UsageCard } from './usage-card.js';

/** The form that was sent and is wrong: the other one shows what is stored. */
export interface RefusedForm {
  form: 'tracking' | 'storing';
  values: Record<string, unknown>;
  errors: FormProblems;
}

interface ErrorSettingsPageProps {
  shell: PageShell;
  project: ProjectRow;
  setUp: ErrorSetUp;
  refused: RefusedForm | null;
  /** Selected guide. */
  sdk: unknown;
}

/** Error tracking settings of a project, with its DSN and setup guides. */
export function ErrorSettingsPage(props: ErrorSettingsPageProps): VNode {
  const { shell, project, setUp, refused } = props;
  const { csrfToken } = shell;
  const path = errorSettingsPath(project);
  const isCollecting =
    setUp.isOffered && setUp.settings?.enabled === true && setUp.settings.integrated;
  const filled = (form: RefusedForm['form']): FilledForm =>
    refused?.form === form ? refused : { values: valuesOfSettings(setUp.settings), errors: null };
  return (
    <ProjectFrame project={project} viewer={shell.viewer} current="settings">
      <ProjectSettingsTabs project={project} current="errors" />
      <State setUp={setUp} />
      <TrackingForm {...{ action: path, csrfToken, ...setUp, ...filled('tracking') }} />
      {isCollecting && <Reporting {...props} path={path} />}
      <KeysCard path={`${path}/keys`} csrfToken={csrfToken} keys={shownKeys(props)} />
      <StoringForm {...{ action: `${path}/storing`, csrfToken, ...setUp, ...filled('storing') }} />
      <UsageCard {...setUp.usage} />
    </ProjectFrame>
  );
}

/** Explains a missing DSN. */
function State({ setUp: { settings, isOffered } }: Pick<ErrorSettingsPageProps, 'setUp'>) {
  if (!isOffered && settings?.integrated !== false) {
    return (
      <div class="alert" role="status" data-tone="alert">
        An administrator has switched the collecting of errors off for the whole installation. What
        programs send is refused; an external tracker can be set up instead.
      </div>
    );
  }
  if (settings?.enabled === true && !settings.integrated && settings.apiUrl !== null) {
    const address = trackerExternalUrl(settings.apiUrl);
    return (
      <div class="alert" role="status" data-tone="notice">
        <p>
          Errors of this project are collected by an external tracker:{' '}
          <a class="prose-link wrap-anywhere" href={address} rel="nofollow noopener noreferrer">
            {address}
          </a>
        </p>
      </div>
    );
  }
  return null;
}

/** Address, test event and guides; for projects that have a key to report by. */
function Reporting(props: ErrorSettingsPageProps & { path: string }): VNode {
  const { shell, project, sdk, path } = props;
  const first = shownKeys(props).find(({ active }) => active);
  if (first === undefined) {
    return (
      <Card title="Address for programs">
        <p>No key is active, so programs cannot report errors. Make a new key below.</p>
      </Card>
    );
  }
  return (
    <>
      <DsnCard
        dsn={first.dsn}
        testPath={`${path}/test`}
        errorsPath={errorsPath(project)}
        csrfToken={shell.csrfToken}
      />
      <SdkCard path={path} dsn={first.dsn} sdk={sdk} />
    </>
  );
}

function shownKeys({ shell, setUp }: Pick<ErrorSettingsPageProps, 'shell' | 'setUp'>): ShownKey[] {
  return setUp.keys.map((key) => ({ ...key, dsn: dsnOf(key, shell.baseUrl) }));
}
