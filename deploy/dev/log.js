import { stripVTControlCharacters, styleText } from 'node:util';
import { ROOT } from '../local/build.js';

/** Output of the inspector at every restart. */
const INSPECTOR =
  /^(Debugger (listening|attached|ending)|For help, see: |Waiting for the debugger)/;
const SHOWN = ['warn', 'error', 'fatal'];
const HIDDEN_FIELDS = ['level', 'time', 'pid', 'msg', 'err', 'stack', 'context'];

/** @param {string} text one or more lines */
export function print(text) {
  const time = new Date().toTimeString().slice(0, 8);
  const lines = `${styleText('dim', time)}  ${text}`;
  console.log(process.stdout.isTTY ? lines : stripVTControlCharacters(lines));
}

/**
 * @typedef {{ method: string, path: string, status: number, ms: number, requestId: string }} Request
 * @param {Request} request
 */
export function printRequest({ method, path, status, ms, requestId }) {
  const colour = status >= 500 ? 'red' : status >= 400 ? 'yellow' : 'green';
  const duration = `${Math.round(ms)} ms`.padStart(8);
  const id = styleText('dim', requestId);
  print(`${method.padEnd(6)} ${styleText(colour, String(status))} ${duration}  ${path}  ${id}`);
}

/** @param {string} text error message with paths of the checkout */
export function printError(text) {
  print(styleText('red', relative(text)));
}

/**
 * Prints warnings, errors and unstructured output of a process, and its complete log if LOG_LEVEL
 * is set. The proxy prints requests.
 * @param {string} name of the process
 * @param {string} line
 */
export function printLine(name, line) {
  const record = parse(line);
  if (record === null) {
    if (line.trim() !== '' && !INSPECTOR.test(line)) print(`${name.padEnd(6)} ${relative(line)}`);
    return;
  }
  const { level, msg, context, err, stack = err?.stack } = record;
  const isRequest = 'method' in record && 'status' in record && 'ms' in record;
  if (isRequest || !(SHOWN.includes(level) || process.env.LOG_LEVEL)) return;
  const fields = Object.entries(record)
    .filter(([key]) => !HIDDEN_FIELDS.includes(key))
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`);
  const colour = level === 'warn' ? 'yellow' : SHOWN.includes(level) ? 'red' : 'cyan';
  const head = [name.padEnd(6), styleText(colour, level), context, msg, ...fields];
  const trace = typeof stack === 'string' ? `\n${relative(stack).replace(/^/gm, '    ')}` : '';
  print(`${head.filter(Boolean).join('  ')}${trace}`);
}

/**
 * @param {string} line
 * @returns {Record<string, any> | null} null for lines that are not log records
 */
function parse(line) {
  if (!line.startsWith('{"level":')) return null;
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** @param {string} text */
function relative(text) {
  return text.replaceAll(`file://${ROOT}`, '').replaceAll(ROOT, '');
}
