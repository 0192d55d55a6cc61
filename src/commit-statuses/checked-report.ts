import { ValidationFailedError, type ValidationMessages } from '../core/errors.js';
import type { StatusReport } from './commit-status-writes.js';
import type { ReportCommitStatusDto } from './dto/report-commit-status.dto.js';

const MAX_LENGTH = 255;
const TOO_LONG = `is too long (maximum is ${MAX_LENGTH} characters)`;
const DEFAULT_NAME = 'default';

/** A report with its name found; 400 with what is wrong with its attributes. */
export function checkedReport(dto: ReportCommitStatusDto, userId: number): StatusReport {
  const messages: ValidationMessages = {
    ...(dto.target_url && messagesOf('target_url', urlProblem(dto.target_url))),
    ...(dto.description && messagesOf('description', lengthProblem(dto.description))),
  };
  if (Object.keys(messages).length > 0) throw new ValidationFailedError(messages);
  return { dto, name: dto.name || dto.context || DEFAULT_NAME, userId };
}

function messagesOf(attribute: string, problem: string | null): ValidationMessages {
  return problem === null ? {} : { [attribute]: [problem] };
}

function lengthProblem(text: string): string | null {
  return [...text].length > MAX_LENGTH ? TOO_LONG : null;
}

/** Pages link it: nothing but addresses of the web may get there. */
function urlProblem(url: string): string | null {
  const isWeb = /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url) && URL.canParse(url);
  if (!isWeb) return 'is blocked: Only allowed schemes are http, https';
  return lengthProblem(url);
}
