import { globSync, readFileSync } from 'node:fs';
import ts from 'typescript';

export interface FoundPattern {
  /** The pattern as a literal, such as `/^a+$/i`. */
  pattern: string;
  source: string;
  flags: string;
  /** The path from the project's folder. */
  file: string;
  line: number;
}

/** A pattern that is known only at run time. */
interface UnreadPattern {
  text: string;
  file: string;
  line: number;
}

interface Patterns {
  found: FoundPattern[];
  unread: UnreadPattern[];
}

const isRegExpCall = (node: ts.Node): node is ts.NewExpression | ts.CallExpression =>
  (ts.isNewExpression(node) || ts.isCallExpression(node)) &&
  ts.isIdentifier(node.expression) &&
  node.expression.text === 'RegExp';

const isRawTag = (tag: ts.Expression) => tag.getText() === 'String.raw';

/** The constants of a file, by name. */
function constantsOf(file: ts.SourceFile): Map<string, ts.Expression> {
  const constants = new Map<string, ts.Expression>();
  const visit = (node: ts.Node): void => {
    const isConstant =
      ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && (node.parent.flags & ts.NodeFlags.Const) !== 0;
    if (isConstant && node.initializer) constants.set((node.name as ts.Identifier).text, node.initializer);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return constants;
}

/** The value of a constant expression; null for any other. */
function knownValue(node: ts.Expression, constants: ReadonlyMap<string, ts.Expression>): string | number | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  if (ts.isNumericLiteral(node)) return Number(node.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return knownValue(node.expression, constants);
  if (ts.isIdentifier(node)) {
    const constant = constants.get(node.text);
    return constant ? knownValue(constant, constants) : null;
  }
  if (ts.isTaggedTemplateExpression(node))
    return isRawTag(node.tag) ? templateOf(node.template, constants, true) : null;
  if (ts.isTemplateExpression(node)) return templateOf(node, constants, false);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    const [left, right] = [knownValue(node.left, constants), knownValue(node.right, constants)];
    if (left === null || right === null) return null;
    return typeof left === 'number' && typeof right === 'number' ? left + right : `${left}${right}`;
  }
  return null;
}

function templateOf(
  template: ts.TemplateLiteral,
  constants: ReadonlyMap<string, ts.Expression>,
  isRaw: boolean,
): string | null {
  const textOf = (part: ts.TemplateLiteralLikeNode) => (isRaw ? (part.rawText ?? part.text) : part.text);
  if (ts.isNoSubstitutionTemplateLiteral(template)) return textOf(template);
  let text = textOf(template.head);
  for (const span of template.templateSpans) {
    const value = knownValue(span.expression, constants);
    if (value === null) return null;
    text += `${value}${textOf(span.literal)}`;
  }
  return text;
}

/** Finds every regular expression in a file: literals and calls of `RegExp`. */
export function patternsIn(name: string, text: string): Patterns {
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true);
  const constants = constantsOf(file);
  const found: FoundPattern[] = [];
  const unread: UnreadPattern[] = [];
  const visit = (node: ts.Node): void => {
    const place = () => ({ file: name, line: file.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/');
      const [source, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
      found.push({ pattern: node.text, source, flags, ...place() });
    }
    if (isRegExpCall(node)) {
      const [first, second] = node.arguments ?? [];
      const source = first ? knownValue(first, constants) : null;
      const flags = second ? knownValue(second, constants) : '';
      if (source === null || flags === null) unread.push({ text: node.getText(), ...place() });
      else found.push({ pattern: `/${source}/${flags}`, source: String(source), flags: String(flags), ...place() });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return { found, unread };
}

/** Finds every regular expression of the product's code, without tests. @param root the project's folder */
export function patternsOfCode(root: string): Patterns {
  const files = globSync(['api/{src,demo,sandbox}/**/*.ts', 'web/src/**/*.{ts,tsx}'], { cwd: root }).filter(
    (file) => !/\.test\.tsx?$|^web\/src\/gql\//.test(file),
  );
  const read = files.sort().map((file) => patternsIn(file, readFileSync(`${root}/${file}`, 'utf8')));
  return { found: read.flatMap(({ found }) => found), unread: read.flatMap(({ unread }) => unread) };
}
