/** What is laid over the style sheet of Swagger UI. */
export const style = `body { margin: 0; background: #fafafa; }
.wait { margin: 4rem auto; max-width: 40rem; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif; text-align: center; }
`;
