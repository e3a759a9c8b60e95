import { globSync } from 'node:fs';
import ts from 'typescript';

const project = new URL('../../../..', import.meta.url).pathname;

/** Packages whose types statements and rows depend on. The others would take most of the time and are left out. */
const PACKAGES = /^(pg|zod|@mikro-orm\/.*)$/;

export interface SourceProgram {
  checker: ts.TypeChecker;
  /** The files of the program itself, without tests. */
  files: readonly ts.SourceFile[];
  /** A node's file, from the project's folder, and its line. */
  placeOf(node: ts.Node): { file: string; line: number };
}

function placeOf(node: ts.Node): { file: string; line: number } {
  const file = node.getSourceFile();
  const { line } = file.getLineAndCharacterOfPosition(node.getStart());
  return { file: file.fileName.slice(project.length), line: line + 1 };
}

function compilerOptions(): ts.CompilerOptions {
  const { config } = ts.readConfigFile(`${project}tsconfig.json`, ts.sys.readFile);
  const own = { ...config.compilerOptions, lib: ['es2024'], types: ['node'] };
  return ts.convertCompilerOptionsFromJson(own, project).options;
}

/** Reads `api/src` without its tests. */
export function readSources(): SourceProgram {
  const paths = globSync('api/src/**/*.ts', { cwd: project })
    .filter((path) => !path.endsWith('.test.ts'))
    .map((path) => `${project}${path}`);
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const cache = ts.createModuleResolutionCache(project, (name) => name, options);
  host.resolveModuleNameLiterals = (names, from, redirected, own) =>
    names.map(({ text }) =>
      text.startsWith('.') || PACKAGES.test(text) || from.includes('/node_modules/')
        ? ts.resolveModuleName(text, from, own, host, cache, redirected, ts.ModuleKind.ESNext)
        : { resolvedModule: undefined },
    );
  const program = ts.createProgram(paths, options, host);
  return {
    checker: program.getTypeChecker(),
    files: program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(`${project}api/src/`)),
    placeOf,
  };
}

/** The declarations of the language, which are the same for all programs of one file. */
const libraries = new Map<string, ts.SourceFile | undefined>();

/** A program of one file, for tests of what is found in programs. @param path from the project's folder */
export function readPlanted(path: string, text: string): SourceProgram {
  const planted = `${project}${path}`;
  const options = { ...compilerOptions(), types: [] };
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (name === planted) return ts.createSourceFile(planted, text, ts.ScriptTarget.Latest, true);
    if (!libraries.has(name)) libraries.set(name, getSourceFile(name, ...rest));
    return libraries.get(name);
  };
  const program = ts.createProgram([planted], options, host);
  const file = program.getSourceFile(planted);
  return { checker: program.getTypeChecker(), files: file ? [file] : [], placeOf };
}

/** The type of an object with these fields, for tests of what is made of types. */
export function typeOfFields(fields: string): { checker: ts.TypeChecker; row: ts.Type } {
  const { checker, files } = readPlanted('fields.ts', `export interface Row { ${fields} }`);
  const declared = files[0]?.statements[0];
  if (!declared) throw new Error('no fields');
  return { checker, row: checker.getTypeAtLocation(declared) };
}
