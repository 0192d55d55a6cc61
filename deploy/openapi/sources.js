import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { ROOT } from '../local/build.js';

/**
 * Source data of a handler that its metadata lacks.
 * @typedef {object} HandlerSource
 * @property {string} place `file:line`, for complaints
 * @property {string} folder of the controller's feature
 * @property {string} file name of the controller's file without its suffix
 * @property {string} controllerDoc
 * @property {string} doc
 * @property {ts.Type} answer what the promise resolves to, out of its `HttpResponse`
 * @property {boolean} isAnswer whether the handler decides the headers, too
 * @property {ts.Type | null} parameters of a handler that reads them itself
 * @property {{ decorators: string[], type: ts.Type }[]} params by position
 */

/** Folders of src/ that hold several features. */
const GROUPS = ['core', 'identity', 'workspace', 'code', 'instance'];

/** @param {string} path below src/ */
function featureOf(path) {
  const [first = '', second = ''] = path.split('/');
  return GROUPS.includes(first) ? second : first;
}

/** The project's controllers as the compiler understands them. */
export class Sources {
  /** @type {Map<string, { node: ts.ClassDeclaration, file: ts.SourceFile }>} */
  #controllers = new Map();

  constructor() {
    const folder = join(ROOT, 'src');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.controller.ts') || name.endsWith('.controller.tsx'))
      .sort()
      .map((name) => join(folder, name));
    const config = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, ROOT);
    const program = ts.createProgram(files, { ...options, noEmit: true });
    this.checker = program.getTypeChecker();
    for (const name of files) this.#readFile(program.getSourceFile(name));
  }

  /** @param {ts.SourceFile | undefined} file */
  #readFile(file) {
    for (const node of file?.statements ?? []) {
      if (!file || !ts.isClassDeclaration(node) || node.name === undefined) continue;
      const name = node.name.text;
      if (this.#controllers.has(name)) throw new Error(`two controllers are named ${name}`);
      this.#controllers.set(name, { node, file });
    }
  }

  /**
   * @param {string} controller
   * @param {string} handler
   * @returns {HandlerSource}
   */
  handler(controller, handler) {
    const found = this.#controllers.get(controller);
    const declared = this.#declarationOf(controller, handler);
    if (!found || !declared) throw new Error(`no source of ${controller}.${handler}`);
    const { method, file } = declared;
    const signature = this.checker.getSignatureFromDeclaration(method);
    if (!signature) throw new Error(`no signature of ${controller}.${handler}`);
    const returned = this.checker.getReturnTypeOfSignature(signature);
    const resolved = this.checker.getAwaitedType(returned) ?? returned;
    const path = relative(join(ROOT, 'src'), found.file.fileName);
    const { line } = file.getLineAndCharacterOfPosition(method.getStart());
    return {
      place: `src/${relative(join(ROOT, 'src'), file.fileName)}:${line + 1}`,
      folder: featureOf(path),
      file: (path.split('/').pop() ?? '').replace(/\.controller\.tsx?$/, ''),
      controllerDoc: this.#docOf(found.node.name),
      doc: this.#docOf(method.name).replaceAll(/\{(\w+)\}/g, (_, tag) => tagOf(found.node, tag)),
      answer: this.#jsonOf(this.#bodyOf(resolved)),
      isAnswer: resolved.symbol?.name === 'HttpResponse',
      parameters: this.#parametersOf(method),
      params: method.parameters.map((param) => ({
        decorators: decoratorNames(param),
        type: this.checker.getTypeAtLocation(param),
      })),
    };
  }

  /**
   * The handler where it is written: in the controller, or in the class that it extends.
   * @param {string} controller
   * @param {string} handler
   * @returns {{ method: ts.MethodDeclaration, file: ts.SourceFile } | null}
   */
  #declarationOf(controller, handler) {
    const found = this.#controllers.get(controller);
    if (!found) return null;
    const { node, file } = found;
    for (const member of node.members) {
      if (ts.isMethodDeclaration(member) && member.name.getText() === handler) {
        return { method: member, file };
      }
    }
    const base = node.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    const name = base?.types[0]?.expression.getText();
    return name === undefined ? null : this.#declarationOf(name, handler);
  }

  /**
   * Returns the type of the body: the T of `HttpResponse<T>`; next to another type an HttpResponse is an error.
   * @param {ts.Type} type
   */
  #bodyOf(type) {
    if (type.isUnion()) {
      const [body, ...others] = type.types.filter((each) => each.symbol?.name !== 'HttpResponse');
      return body !== undefined && others.length === 0 ? body : type;
    }
    if (type.symbol?.name !== 'HttpResponse') return type;
    const [body] = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    return body ?? type;
  }

  /**
   * Returns what a JSON text says: the T of `JsonText<T>`.
   * @param {ts.Type} type
   */
  #jsonOf(type) {
    if (type.symbol?.name !== 'JsonText') return type;
    const [said] = this.checker.getTypeArguments(/** @type {ts.TypeReference} */ (type));
    return said ?? type;
  }

  /**
   * The class that `@ApiParameters` names.
   * @param {ts.MethodDeclaration} method
   */
  #parametersOf(method) {
    for (const { expression } of ts.getDecorators(method) ?? []) {
      if (!ts.isCallExpression(expression) || expression.expression.getText() !== 'ApiParameters')
        continue;
      const [dto] = expression.arguments;
      const symbol = dto && this.checker.getSymbolAtLocation(dto);
      const aliased = symbol && this.#declared(symbol);
      return aliased ? this.checker.getDeclaredTypeOfSymbol(aliased) : null;
    }
    return null;
  }

  /** @param {ts.Symbol} symbol */
  #declared(symbol) {
    const isImported = (symbol.flags & ts.SymbolFlags.Alias) !== 0;
    return isImported ? this.checker.getAliasedSymbol(symbol) : symbol;
  }

  /** @param {ts.Node | undefined} name */
  #docOf(name) {
    const symbol = name && this.checker.getSymbolAtLocation(name);
    return symbol ? docOf(symbol, this.checker).text : '';
  }
}

/**
 * Text of a tag of a controller, by which the description of an inherited handler names its object.
 * @param {ts.ClassDeclaration} node
 * @param {string} name
 */
function tagOf(node, name) {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === name);
  if (tag === undefined) throw new Error(`${node.name?.text} has no tag @${name}`);
  return ts.getTextOfJSDocComment(tag.comment) ?? '';
}

/** @param {ts.ParameterDeclaration} param */
function decoratorNames(param) {
  return (ts.getDecorators(param) ?? []).map(({ expression }) =>
    (ts.isCallExpression(expression) ? expression.expression : expression).getText(),
  );
}

/**
 * A symbol's doc comment on one line, with the tags that schemas use.
 * @param {ts.Symbol} symbol
 * @param {ts.TypeChecker} checker
 */
export function docOf(symbol, checker) {
  const text = ts.displayPartsToString(symbol.getDocumentationComment(checker));
  const tags = symbol.getJsDocTags(checker);
  /** @param {string} name */
  const tag = (name) => {
    const found = tags.find((each) => each.name === name);
    return found && ts.displayPartsToString(found.text).trim();
  };
  return {
    text: text
      .split('\n')
      .map((line) => line.trim())
      .join(' ')
      .trim(),
    example: tag('example'),
    format: tag('format'),
    route: tag('route'),
  };
}
