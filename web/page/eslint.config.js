import js from "@eslint/js";
import globals from "globals";

/** Syntax that `replay::page::join` does not understand. */
const MODULES = [
  ["ImportDefaultSpecifier, ImportNamespaceSpecifier", "import names in braces"],
  ["ImportDeclaration[specifiers.length=0]", "import names in braces"],
  ["ImportExpression", "a page loads nothing"],
  ["ExportDefaultDeclaration, ExportAllDeclaration, ExportSpecifier", "export declarations"],
  ["ExportNamedDeclaration > VariableDeclaration[kind!='const']", "a page has no live bindings: export a const"],
  ["Program > ExpressionStatement > AwaitExpression", "modules run in functions that do not wait"],
];

export default [
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2024, sourceType: "module" },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "consistent-this": "error",
      curly: ["error", "multi-line"],
      eqeqeq: "error",
      "no-else-return": "error",
      "no-implicit-coercion": "error",
      "no-unused-vars": ["error", { args: "after-used", argsIgnorePattern: "^_" }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-arrow-callback": "error",
      "prefer-const": "error",
      "prefer-template": "error",
    },
  },
  {
    files: ["arene/*.js", "course/*.js", "play/*.js", "shared/*.js", "replay/*.js", "report/*.js", "workshop/*.js"],
    ignores: ["workshop/codemirror.js"],
    languageOptions: { globals: globals.browser },
    rules: { "no-restricted-syntax": ["error", ...MODULES.map(([selector, message]) => ({ selector, message }))] },
  },
  { files: ["tests/*.js"], languageOptions: { globals: globals.node } },
];
