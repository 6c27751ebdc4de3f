#pragma once

#include "core/registry/operator_table.hpp"

namespace mo::tensorflow {

/// Operators that passes of the front phase take apart, a whole structure at a time (extensions/front/tensorflow). The
/// rows say that they are supported and list the attributes that TensorFlow gives them; a node that inference reaches
/// has lost the rest of its structure: error MO-TF-0766.
inline void taken_apart(OperatorTable& table, std::initializer_list<std::string> ops,
                        const std::vector<std::string>& attributes) {
  for (const std::string& op : ops)
    table.take_apart(op, attributes, [op](const FrameworkNode& node, Rewriter&) -> Replacement {
      return node.error("MO-TF-0766", "the {} is left over from a structure that is not complete", op)
          .hint(
              "loops, conditionals, lists, look-up tables and iterators are converted as a whole: cut before them or "
              "after them");
    });
}

}  // namespace mo::tensorflow
