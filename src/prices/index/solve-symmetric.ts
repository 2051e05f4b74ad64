/** A symmetric positive definite matrix, factored row by row. */
export interface Factored {
  size: number;
  /** The lower triangle L of L Lᵀ. */
  lower: Float64Array;
}

/** Returns the Cholesky factors of a matrix given row by row; reads only its lower triangle. */
export function factor(matrix: Float64Array, size: number): Factored {
  const lower = new Float64Array(size * size);
  for (let row = 0; row < size; row += 1) {
    for (let column = 0; column <= row; column += 1) {
      let sum = matrix[row * size + column] as number;
      for (let k = 0; k < column; k += 1) {
        sum -= (lower[row * size + k] as number) * (lower[column * size + k] as number);
      }
      lower[row * size + column] =
        row === column ? Math.sqrt(sum) : sum / (lower[column * size + column] as number);
    }
  }
  return { size, lower };
}

/** Returns the x of A x = `right`. */
export function solve({ size, lower }: Factored, right: Float64Array): Float64Array {
  const x = Float64Array.from(right);
  for (let row = 0; row < size; row += 1) {
    let sum = x[row] as number;
    for (let k = 0; k < row; k += 1) sum -= (lower[row * size + k] as number) * (x[k] as number);
    x[row] = sum / (lower[row * size + row] as number);
  }
  for (let row = size - 1; row >= 0; row -= 1) {
    let sum = x[row] as number;
    for (let k = row + 1; k < size; k += 1) sum -= (lower[k * size + row] as number) * (x[k] as number);
    x[row] = sum / (lower[row * size + row] as number);
  }
  return x;
}
