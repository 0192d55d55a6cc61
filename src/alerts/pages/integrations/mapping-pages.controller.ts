import { Controller, Get, Post } from '@nestjs/common';
import { Auth, type AuthContext } from '../../../core/access/auth-context.js';
import { NotFoundError } from '../../../core/errors.js';
import type { HttpResponse } from '../../../core/http/http-response.js';
import { atRoot } from '../../../core/http/paths.js';
import { IntegerId } from '../../../core/params/ids.js';
import { parseInput } from '../../../core/params/input.decorator.js';
import { NO_PRECONDITIONS } from '../../../core/preconditions.js';
import { formErrors, FormInput, given, type FormProblems } from '../../../core/ui/forms.js';
import type { PageContext } from '../../../core/ui/page-context.js';
import { Context } from '../../../core/ui/page-contexts.service.js';
import { CurrentProject, ProjectPage } from '../../../workspace/projects/project-access.guard.js';
import type { ProjectRow } from '../../../workspace/projects/projects.repository.js';
import { UpdateIntegrationDto } from '../../integrations/integration.dto.js';
import {
  AlertIntegrationsRepository,
  type FoundIntegration,
} from '../../alert-integrations.repository.js';
import { IntegrationsService } from '../../integrations/integrations.service.js';
import {
  FIELD_NAMES,
  presentMapping,
  readPayloadExample,
} from '../../integrations/mapping-rules.js';
import type { JsonObject, PayloadPath } from '../../parsing/incoming-alert.js';
import { payloadFields, type PayloadField } from '../../parsing/payload-fields.js';
import { integrationsPath } from '../alert-paths.js';
import { prettyValue } from '../raw-text.js';
import { integrationInfo } from './integration.page.js';
import { MappingPage, type MappingState, type MappingValues } from './mapping.page.js';

type Mapped = Pick<
  FoundIntegration,
  'payloadExample' | 'payloadAttributeMappings' | 'resolvedWhen'
>;

/** The form as it begins. */
function valuesOfMapping(integration: Mapped): MappingValues {
  const { payloadExample, payloadAttributeMappings, resolvedWhen } = integration;
  const isEmpty = Object.keys(payloadExample).length === 0;
  const lines = payloadAttributeMappings.map(presentMapping);
  return {
    example: isEmpty ? '' : prettyValue(payloadExample),
    paths: Object.fromEntries(lines.map((line) => [line.field_name, JSON.stringify(line.path)])),
    resolvedPath: resolvedWhen === null ? '' : JSON.stringify(resolvedWhen.path),
    resolvedWords: resolvedWhen?.values.join(', ') ?? '',
  };
}

/** The form as it was sent. */
function valuesOfForm(form: Record<string, unknown>): MappingValues {
  const mapped = form['mapping'];
  const paths = typeof mapped === 'object' && mapped !== null ? { ...mapped } : {};
  return {
    example: given(form, 'payload_example'),
    paths: Object.fromEntries(FIELD_NAMES.map((name) => [name, given(paths, name)])),
    resolvedPath: given(form, 'resolved_path'),
    resolvedWords: given(form, 'resolved_values'),
  };
}

/**
 * Returns the choices of a path: the fields of the sample payload, and chosen paths that it does
 * not have.
 */
function choicesOf(values: MappingValues, example: JsonObject): PayloadField[] {
  const found = payloadFields(example);
  const known = new Set(found.map(({ path }) => JSON.stringify(path)));
  const chosen = [...Object.values(values.paths), values.resolvedPath];
  const others = [...new Set(chosen)].filter((text) => text !== '' && !known.has(text));
  return [...found, ...others.flatMap(keptField)];
}

/** Parameters of the API for the form; what makes no sense is left to its checks. */
function paramsOf(
  values: MappingValues,
  choices: readonly PayloadField[],
): Record<string, unknown> {
  const byPath = new Map(choices.map((field) => [JSON.stringify(field.path), field]));
  const lines = Object.entries(values.paths).filter(([, path]) => path !== '');
  const words = values.resolvedWords.split(',').map((word) => word.trim());
  return {
    payload_example: values.example,
    payload_attribute_mappings: lines.map(([field_name, path]) => {
      const { type = 'STRING', label } = byPath.get(path) ?? {};
      return { field_name, path, type, label };
    }),
    resolved_when:
      values.resolvedPath === '' && values.resolvedWords.trim() === ''
        ? null
        : { path: values.resolvedPath, values: words.filter((word) => word !== '') },
  };
}

function keptField(text: string): PayloadField[] {
  const path = readPathText(text);
  if (path === null) return [];
  return [{ path, label: path.join('/'), type: 'STRING' }];
}

function readPathText(text: string): PayloadPath | null {
  try {
    const path: unknown = JSON.parse(text);
    const isPath =
      Array.isArray(path) && path.every((step) => ['string', 'number'].includes(typeof step));
    return isPath ? (path as PayloadPath) : null;
  } catch {
    return null;
  }
}

interface ProjectIntegration {
  project: ProjectRow;
  integration: FoundIntegration;
}

/** The custom mapping of an integration; for the project's maintainers. */
@Controller(atRoot('*project_path/-/settings/alert_integrations/:id/mapping'))
export class MappingPagesController {
  constructor(
    private readonly repository: AlertIntegrationsRepository,
    private readonly integrations: IntegrationsService,
  ) {}

  /** Shows the mapping with the fields of the stored example. */
  @Get()
  @ProjectPage('admin_alert_integration', 'signed_in')
  async form(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const values = valuesOfMapping(integration);
    const choices = choicesOf(values, integration.payloadExample);
    return show(pageContext, { project, integration }, { values, choices, errors: null });
  }

  /** Finds the fields of the example that was pasted, or saves the mapping. */
  @Post()
  @ProjectPage('admin_alert_integration', 'signed_in')
  async save(
    @Context() pageContext: PageContext,
    @CurrentProject() project: ProjectRow,
    @IntegerId('id') id: number,
    @Auth() auth: AuthContext,
    @FormInput() form: Record<string, unknown>,
  ): Promise<HttpResponse> {
    const integration = await this.find(project, id);
    const target = { project, integration };
    const values = valuesOfForm(form);
    const { choices, errors } = fieldsFound(values);
    const isOnlyLooking = given(form, 'step') === 'fields';
    if (errors !== null || isOnlyLooking)
      return show(pageContext, target, { values, choices, errors });
    try {
      const dto = await parseInput(UpdateIntegrationDto, paramsOf(values, choices));
      const chosen = { projectId: project.id, id, preconditions: NO_PRECONDITIONS };
      await this.integrations.update(chosen, dto, auth);
    } catch (error) {
      return show(pageContext, target, { values, choices, errors: formErrors(error) });
    }
    const path = `${integrationsPath(project)}/${id}/mapping`;
    return pageContext.redirect(path, { notice: 'Mapping saved.' });
  }

  /** Only integrations of type HTTP have a mapping. */
  private async find(project: ProjectRow, id: number): Promise<FoundIntegration> {
    const integration = await this.repository.get(project.id, id);
    if (integration.type !== 'http') throw new NotFoundError();
    return integration;
  }
}

/** An example that cannot be read has no fields, but what was chosen before is kept. */
function fieldsFound(
  values: MappingValues,
): Pick<MappingState, 'choices'> & { errors: FormProblems | null } {
  try {
    return { choices: choicesOf(values, readPayloadExample(values.example)), errors: null };
  } catch (error) {
    return { choices: choicesOf(values, {}), errors: formErrors(error) };
  }
}

function show(
  pageContext: PageContext,
  { project, integration }: ProjectIntegration,
  state: MappingState,
): HttpResponse {
  const page = MappingPage({ pageContext, project, integration, ...state });
  const info = integrationInfo(
    { project, viewer: pageContext.viewer },
    `Mapping of ${integration.name}`,
  );
  return pageContext.render(page, info, state.errors === null ? 200 : 422);
}
