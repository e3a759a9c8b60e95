/** How the names of all test databases of a run begin. @param template the run's */
export const testNamesOf = (template: string): string => template.replace('template', 'test');
