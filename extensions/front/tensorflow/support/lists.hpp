#pragma once

#include "core/rewrite.hpp"

/// Lists of tensors: the nodes of TensorFlow's TensorList operators; those of TensorArrays become such nodes first. A
/// list is a tensor whose first dimension counts the elements; it is made of tensor ops as soon as the shape of its
/// elements is known.
namespace mo::front::tensorflow {

// The operators that passes make or look for, as the nodes of a model name them.
/// element_shape, max_num_elements
inline constexpr std::string_view kListEmpty = "tf::EmptyTensorList";
inline constexpr std::string_view kListReserve = "tf::TensorListReserve";  ///< element_shape, num_elements
inline constexpr std::string_view kListFromTensor = "tf::TensorListFromTensor";
inline constexpr std::string_view kListSplit = "tf::TensorListSplit";    ///< tensor, element_shape, lengths
inline constexpr std::string_view kListRead = "tf::TensorListGetItem";   ///< list, index, element_shape
inline constexpr std::string_view kListWrite = "tf::TensorListSetItem";  ///< list, index, item
inline constexpr std::string_view kListPush = "tf::TensorListPushBack";  ///< list, tensor
inline constexpr std::string_view kListPop = "tf::TensorListPopBack";
/// list, indices, element_shape
inline constexpr std::string_view kListGather = "tf::TensorListGather";
/// list, tensor, indices
inline constexpr std::string_view kListScatter = "tf::TensorListScatterIntoExistingList";
/// list, element_shape
inline constexpr std::string_view kListStack = "tf::TensorListStack";
inline constexpr std::string_view kListConcat = "tf::TensorListConcat";
inline constexpr std::string_view kListConcatV2 = "tf::TensorListConcatV2";
inline constexpr std::string_view kListSize = "tf::TensorListLength";
inline constexpr std::string_view kListResize = "tf::TensorListResize";     ///< list, size
inline constexpr std::string_view kListJoin = "tf::TensorListConcatLists";  ///< list, list
/// list, tensor: the handle became a list
inline constexpr std::string_view kArrayUnpack = "tf::TensorArrayUnpack";

/// Attribute of writes: the list grows so that it has the element.
inline constexpr std::string_view kGrows = "resize_if_index_out_of_bounds";

/// Input 0 of this node is a list.
bool reads_list(const InPort& port);
/// The node makes a list.
bool makes_list(const Node& node);

/// The list was just made and nothing is written: a TensorListReserve of a number of elements, or an EmptyTensorList.
bool is_fresh_list(const Value& list);
/// The shape of the elements of a fresh list as an i64 vector; empty when it is not completely known.
Value element_shape(Rewriter& rw, const Node& fresh);
/// How many elements a fresh list has, an i64 length.
Value list_length(Rewriter& rw, const Node& fresh);
/// The element type of a list that a node makes.
ElementType list_element_type(const Node& node);

/// `length` (an i64 length) times zeros of an element's shape.
Value zero_list(Rewriter& rw, ElementType type, const Value& length, const Value& shape);
/// Dimensions of x from the second on.
Value shape_behind_first(Rewriter& rw, const Value& x);
/// x with zeros after it, so that it has at least `length` (an i64 length) elements along the first dimension.
Value padded_list(Rewriter& rw, const Value& x, const Value& length);

/// Axis 0, a scalar.
Value zero_axis(Rewriter& rw);
/// A tensor as the only element of a list: [d, …] -> [1, d, …].
Value as_element(Rewriter& rw, const Value& value);
/// `list` as a tensor whose elements have the sizes that input `i` of the reader says: inference may not find those
/// that only arithmetic in a loop fixes, as the number of boxes that are padded or cut to a hundred.
Value with_element_shape(Rewriter& rw, const Value& list, const Node& reader, std::size_t i);

/// Writes to a list are followed back so far.
inline constexpr std::size_t kMostListSteps = 4096;
/// The length of a list that was made with a given one: an integer scalar. Empty for other lists.
Value reserved_length(const Value& list);
/// Whether the number `limit` is certainly how many elements the list has.
bool is_length_of(const Value& limit, const Value& list);

/// The limit of 0, 1 … limit - 1 when `indices` is that: a scalar.
Value range_limit(Rewriter& rw, const Value& indices);

/// A rule for operators on lists, which must not be lists of lists.
RewriteRule list_rule(std::initializer_list<std::string_view> ops, std::size_t inputs,
                      Replacement (*replace)(const Node&, Rewriter&));

}  // namespace mo::front::tensorflow
